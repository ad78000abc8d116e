import { hash } from 'node:crypto';

/** Hashing more takes longer than handing it to another thread. */
const LARGE_BYTES = 256 * 1024;

/** SHA-256 of a document, in hexadecimal; a large one is reckoned outside of the event loop. */
export async function documentHash(bytes: Buffer): Promise<string> {
  if (bytes.length <= LARGE_BYTES) return hash('sha256', bytes, 'hex');
  // The web's digest knows no shared memory; what was sent, fetched or stored is none.
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}
