import { AppError } from '../platform/errors.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook.ts';

const LONGEST_URL = 8192;
const LONGEST_LABEL = 200;

/** Checks that a URL can be stored; where it leads is checked elsewhere. Throws `invalid_request`, as all rules here do. */
export function checkUrlText(url: string): void {
  if (url.length > LONGEST_URL) throw new AppError('invalid_request', `url: is longer than ${LONGEST_URL} characters.`);
  requireStorable('url', url);
}

/** The checked label; null where none was given. */
export function checkLabel(label: string | null | undefined): string | null {
  if (label == null) return null;
  if (label.length > LONGEST_LABEL) {
    throw new AppError('invalid_request', `label: is longer than ${LONGEST_LABEL} characters.`);
  }
  requireStorable('label', label);
  return label;
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

/** Requires a text that PostgreSQL can store: without NUL and halves of surrogate pairs. */
function requireStorable(field: string, text: string): void {
  if (!text.includes('\u0000') && text.isWellFormed()) return;
  throw new AppError('invalid_request', `${field}: contains a NUL or an incomplete character.`);
}
