import { randomBytes } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';

const SECRET_BYTES = 32;
export const SIGNATURE_HEADER = 'webhook-signature';

/** A new signing secret: `whsec_` and 32 bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The Standard Webhooks headers of one attempt: one signature for each secret, so that a receiver may change from one secret to
 * the next at any moment.
 */
export function signatureHeaders(
  id: string,
  body: string,
  { secrets, at }: { secrets: readonly string[]; at: Date },
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    [SIGNATURE_HEADER]: secrets.map((secret) => new StandardWebhook(secret).sign(id, at, body)).join(' '),
  };
}
