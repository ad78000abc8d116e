import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'sk-ocr-';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** A new key: `sk-ocr-`, 32 base-62 characters (190 bits), 6 characters of their CRC-32. */
export function newKeyText(): string {
  let random = '';
  for (let i = 0; i < RANDOM_LENGTH; i++) random += BASE62.charAt(randomInt(62));
  return PREFIX + random + checkOf(random);
}

/** Whether the text can be a key at all: a typo is found without asking the database. */
export function isKeyText(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checkOf(random));
}

/** What is stored of a key: the SHA-256 of the whole text (its entropy makes a salt needless). */
export function hashKey(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** What tells keys apart in a list: the first characters. */
export function prefixOf(text: string): string {
  return text.slice(0, PREFIX.length + 4);
}

function checkOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
