import { Webhook } from 'standardwebhooks';
import type { components } from './openapi.ts';

/** What a webhook tells. */
export type OcrCompletedEvent = components['schemas']['OcrCompletedEvent'];

const PREFIX = /^whsec_/;
/** A shorter key is no secret of the gateway's. */
const FEWEST_KEY_BYTES = 16;

/**
 * The event of a webhook that the gateway has signed. `body` is the raw body as it came. Throws for one that is not
 * signed with the secret, or is older than five minutes; also for a secret that is not the gateway's, such as an empty one.
 */
export function verifyWebhook(
  secret: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): OcrCompletedEvent {
  const bare = secret.trim(); // a file that holds it ends with a line end
  checkSecret(bare);
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return new Webhook(bare).verify(body, given) as OcrCompletedEvent;
}

function checkSecret(secret: string): void {
  const encoded = secret.replace(PREFIX, '');
  const key = Buffer.from(encoded, 'base64');
  if (key.toString('base64') !== encoded || key.length < FEWEST_KEY_BYTES) {
    throw new Error("The webhook's secret is none: it is `whsec_` and base64 of 16 bytes or more.");
  }
}
