import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A key of 32 bytes, with an id that tells nothing about them. */
export interface SecretKey {
  readonly id: string;
  readonly bytes: Buffer;
}

const PREFIX = 'enc:1:';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function secretKey(bytes: Buffer): SecretKey {
  const id = createHash('sha256').update('ocr-router key id').update(bytes).digest('hex').slice(0, 16);
  return { id, bytes };
}

/**
 * Encrypts a text with AES-256-GCM: `enc:1:key id:nonce:ciphertext and tag`. The subject (a table and a row's id) is
 * authenticated with it, so that a value that was copied to another row cannot be decrypted there.
 */
export function sealText(key: SecretKey, subject: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(subject));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${PREFIX}${key.id}:${nonce.toString('base64url')}:${sealed.toString('base64url')}`;
}

/** The id of the key that a stored text was encrypted with; null for one that is plain. */
export function keyIdOf(stored: string): string | null {
  return stored.startsWith(PREFIX) ? (stored.slice(PREFIX.length).split(':', 1)[0] ?? '') : null;
}

/** A pattern for SQL's `like`: texts that were encrypted with this key. */
export function sealedWith(keyId: string): string {
  return `${PREFIX}${keyId}:%`;
}

/** Decrypts a text. Throws for another subject, another key or a changed value. */
export function openText(key: SecretKey, subject: string, stored: string): string {
  const [nonce = '', sealed = ''] = stored.slice(PREFIX.length + key.id.length + 1).split(':');
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < TAG_BYTES) throw new Error('a stored secret is damaged');
  const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(subject)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
}
