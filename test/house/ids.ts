import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id of this moment as the contract describes it (a prefix and a ULID), for rows that a test writes by hand. */
export function newId(prefix: 'ocr_' | 'att_', timeMs = Date.now()): string {
  return prefix + digitsOf(timeMs, CROCKFORD, 10) + randomFrom(CROCKFORD, 16);
}

/** A key of the right form, with its checksum, that no account has. */
export function unknownKey(): string {
  const random = randomFrom(BASE62, 32);
  return `sk-ocr-${random}${digitsOf(crc32(random), BASE62, 6)}`;
}

function randomFrom(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

function digitsOf(number: number, alphabet: string, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet.charAt(rest % alphabet.length) + text;
  }
  return text;
}
