import { createHash } from 'node:crypto';

/** Password protection as PDF 1.4 knows it (V 1, R 2: RC4 with 40 bits): enough to be locked, simple enough for a test. */
export interface PdfLock {
  /** The value of `/Encrypt` in the trailer. */
  readonly dictionary: string;
  encrypt(bytes: Buffer, objectNumber: number): Buffer;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const KEY_BYTES = 5;
const PERMISSIONS = -4;

/** An empty user password makes a document that anyone can read and only the owner may change. */
export function lock(passwords: { user: string; owner: string }, fileId: Buffer): PdfLock {
  const ownerEntry = rc4(md5(padded(passwords.owner)).subarray(0, KEY_BYTES), padded(passwords.user));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(padded(passwords.user), ownerEntry, permissions, fileId).subarray(0, KEY_BYTES);
  const userEntry = rc4(key, PADDING);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /P ${PERMISSIONS} /O <${ownerEntry.toString('hex')}> /U <${userEntry.toString('hex')}> >>`,
    encrypt: (bytes, objectNumber) => rc4(md5(key, objectSalt(objectNumber)).subarray(0, KEY_BYTES + 5), bytes),
  };
}

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
}

function objectSalt(objectNumber: number): Buffer {
  const salt = Buffer.alloc(5);
  salt.writeUIntLE(objectNumber, 0, 3);
  return salt;
}

function md5(...parts: Buffer[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** OpenSSL 3 no longer offers RC4, and PDF readers must still know it. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(state, i) + at(key, i % key.length)) & 255;
    swap(state, i, j);
  }
  const out = Buffer.alloc(bytes.length);
  for (let n = 0, i = 0, j = 0; n < bytes.length; n++) {
    i = (i + 1) & 255;
    j = (j + at(state, i)) & 255;
    swap(state, i, j);
    out[n] = at(bytes, n) ^ at(state, (at(state, i) + at(state, j)) & 255);
  }
  return out;
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function swap(bytes: Uint8Array, a: number, b: number): void {
  const held = at(bytes, a);
  bytes[a] = at(bytes, b);
  bytes[b] = held;
}
