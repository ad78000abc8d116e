import { isUtf8 } from 'node:buffer';

/** Stands for the byte 0x00; only those from 0x80 on may be none of UTF-8. */
const FIRST = 0xdc00;
/** With the flag `u` it finds none within a pair. */
const STANDS_FOR_A_BYTE = /([\udc80-\udcff])/u;
const LONGEST_CHARACTER = 4;

/**
 * A path as a text. Where names of files are bytes, some are no UTF-8: each byte that is not stands as a lone surrogate (U+DC80 to
 * U+DCFF), as in Python.
 */
export function pathOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    text += length > 0 ? bytes.toString('utf8', at, at + length) : String.fromCharCode(FIRST + (bytes[at] ?? 0));
    at += length || 1;
  }
  return text;
}

/** A path as the functions of the file system take it. */
export function onDisk(path: string): string | Buffer {
  if (path.isWellFormed()) return path;
  const parts = path.split(STANDS_FOR_A_BYTE);
  return Buffer.concat(
    parts.map((part, n) => (n % 2 === 0 ? Buffer.from(part) : Buffer.from([part.charCodeAt(0) - FIRST]))),
  );
}

/** Bytes of the character that begins there; 0 where none does. */
function characterLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= LONGEST_CHARACTER; length++) {
    if (at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
