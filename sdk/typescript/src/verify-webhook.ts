import { Webhook } from 'standardwebhooks';
import type { components } from './openapi.ts';

/** What a webhook tells. */
export type OcrCompletedEvent = components['schemas']['OcrCompletedEvent'];

/**
 * The event of a webhook that the gateway has signed. `body` is the raw body as it came. Throws for one that is not
 * signed with the secret, or is older than five minutes.
 */
export function verifyWebhook(
  secret: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): OcrCompletedEvent {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return new Webhook(secret).verify(body, given) as OcrCompletedEvent;
}
