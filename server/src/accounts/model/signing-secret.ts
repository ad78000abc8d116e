import { randomBytes } from 'node:crypto';

const BYTES = 32;

/** A new secret that signs webhooks: `whsec_` and 32 bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(BYTES).toString('base64')}`;
}
