import { sharp } from './sharp.ts';

/** Most rows of a strip that the library makes. */
const MOST_ROWS = 32_768;
const DIRECTORY_AT = 4;
const ENTRY_BYTES = 12;
const STRIP_OFFSETS = 273;
const STRIP_BYTES = 279;

/**
 * Encodes a picture that is only black and white, `grey` with a byte for each pixel, as one strip of CCITT Group 4 (ITU-T T.6).
 * What the format calls black are white runs here. Null for a picture that is too high for one strip.
 */
export async function faxStrip(grey: Buffer, size: { width: number; height: number }): Promise<Buffer | null> {
  if (size.height > MOST_ROWS) return null;
  const tiff = await sharp(grey, { raw: { ...size, channels: 1 } })
    .toColourspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1, tileHeight: size.height })
    .toBuffer();
  const offset = tagOf(tiff, STRIP_OFFSETS);
  const bytes = tagOf(tiff, STRIP_BYTES);
  return offset === null || bytes === null ? null : tiff.subarray(offset, offset + bytes);
}

/**
 * A value from the first directory of a TIFF as the library writes it, in this machine's byte order; null unless it is one
 * number.
 */
function tagOf(tiff: Buffer, wanted: number): number | null {
  if (tiff.toString('latin1', 0, 2) !== 'II') return null;
  const directory = tiff.readUInt32LE(DIRECTORY_AT);
  const entries = tiff.readUInt16LE(directory);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (tiff.readUInt16LE(at) === wanted) return tiff.readUInt32LE(at + 4) === 1 ? tiff.readUInt32LE(at + 8) : null;
  }
  return null;
}
