import type { Format } from './document.ts';

/** Most bytes before the header of a PDF, as readers accept it. */
const PDF_HEADER_WITHIN = 1024;
const BMP_HEADER_SIZES = [12, 40, 52, 56, 64, 108, 124];

/** The format of a document by its first bytes; undefined for none that is supported. */
export function sniff(bytes: Uint8Array): Format | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PDF_HEADER_WITHIN + 5));
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith(head, '\xff\xd8\xff')) return 'jpeg';
  if (startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8)) return 'webp';
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'gif';
  if (['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((magic) => startsWith(head, magic))) return 'tiff';
  if (isBmp(head)) return 'bmp';
  return head.includes('%PDF-') ? 'pdf' : undefined;
}

/**
 * Whether the bytes begin as a bitmap. "BM" alone also begins plain text: the size of the header that follows must be one that
 * exists.
 */
function isBmp(head: Buffer): boolean {
  return startsWith(head, 'BM') && head.length >= 18 && BMP_HEADER_SIZES.includes(head.readUInt32LE(14));
}

function startsWith(head: Buffer, magic: string, at = 0): boolean {
  return head.toString('latin1', at, at + magic.length) === magic;
}
