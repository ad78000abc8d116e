import { Webhook as StandardWebhook } from 'standardwebhooks';

export const SIGNATURE_HEADER = 'webhook-signature';

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
