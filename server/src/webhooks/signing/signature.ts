import { randomBytes } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';

const SECRET_BYTES = 32;
export const SIGNATURE_HEADER = 'webhook-signature';

/** A new signing secret: `whsec_` and base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The Standard Webhooks headers of one attempt. Several secrets sign side by side, so that a receiver may change from
 * one to the next at any moment.
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
