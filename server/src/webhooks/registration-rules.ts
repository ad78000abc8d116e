import { requireStorableText } from '../database/storable.ts';
import { AppError } from '../platform/errors.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook.ts';

const LONGEST_URL = 8192;

/** Checks that a URL can be stored; where it leads is checked elsewhere. Throws `invalid_request`, as all rules here do. */
export function checkUrlText(url: string): void {
  if (url.length > LONGEST_URL) throw new AppError('invalid_request', `url: is longer than ${LONGEST_URL} characters.`);
  requireStorableText('url', url);
}

/** The checked events, in the order of the contract; null where none were given. */
export function checkEvents(events: readonly string[] | null | undefined): readonly WebhookEvent[] | null {
  if (events == null) return null;
  const known = WEBHOOK_EVENTS.filter((event) => events.includes(event));
  if (known.length === 0 || known.length !== events.length) {
    throw new AppError('invalid_request', 'events: must be `ocr.completed`, `ocr.failed` or both, each of them once.');
  }
  return known;
}
