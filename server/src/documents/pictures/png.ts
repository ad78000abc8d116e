import { crc32 } from 'node:zlib';
import { corruptPicture } from '../formats/unreadable.ts';
import { type Exif, NO_EXIF, readExif } from './exif.ts';
import { believableDpi, type PictureHeader } from './picture-header.ts';

const SIGNATURE_BYTES = 8;
/** Bytes of a chunk beside its data: length and type before it, checksum behind. */
const CHUNK_FRAME_BYTES = 12;
/** Most chunks. Pixels come in chunks of some kilobytes; each takes time, and may have as few as twelve bytes. */
const MOST_CHUNKS = 65_536;
const LARGEST = 2 ** 31 - 1;
const METRES_PER_INCH = 0.0254;

/** The bit depths that each colour type may have. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Channels that the decoder makes of each colour type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };

interface Ihdr {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
}

/**
 * Reads the chunks of a PNG without inflating them. Throws `unprocessable_entity` where the file is cut off, the checksum of a
 * needed chunk is wrong, or the header makes no sense.
 */
export function readPng(bytes: Buffer): PictureHeader {
  let ihdr: Ihdr | undefined;
  let dataBytes = 0;
  let transparent = false;
  let animated = false;
  let dpi: number | null = null;
  let exif: Exif | undefined;

  for (const { type, data } of chunks(bytes)) {
    if (type === 'IHDR') ihdr ??= readIhdr(data);
    else if (type === 'IDAT') dataBytes += data.length;
    else if (type === 'tRNS') transparent = true;
    else if (type === 'acTL') animated = true;
    else if (type === 'pHYs') dpi = dpiOf(data);
    else if (type === 'eXIf') exif ??= readExif(data);
  }
  if (!ihdr || dataBytes === 0) throw corruptPicture('no header or no pixels');
  const { width, height, depth, colour } = ihdr;
  const { orientation } = exif ?? NO_EXIF;
  const opaque = colour < 4 && !transparent;
  // A palette becomes red, green, blue and alpha.
  const bytesPerPixel = (CHANNELS[colour] ?? 4) * (depth > 8 ? 2 : 1);
  const plain = opaque && !animated && depth <= 8 && orientation === 1;
  return { width, height, dpi, orientation, plain, bytesPerPixel };
}

/** Gives every sound chunk up to IEND; what follows is not part of the picture. */
function* chunks(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
  let at = SIGNATURE_BYTES;
  for (let count = 0; at + CHUNK_FRAME_BYTES <= bytes.length; count++) {
    if (count > MOST_CHUNKS) throw corruptPicture('too many chunks');
    const length = bytes.readUInt32BE(at);
    const end = at + CHUNK_FRAME_BYTES + length;
    if (end > bytes.length) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const sound = crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4);
    // Decoders pass over a broken chunk that the pixels do not need: the small first letter says so.
    if (!sound && /^[A-Z]/.test(type)) throw corruptPicture(`checksum of ${type}`);
    if (type === 'IEND') return;
    if (sound) yield { type, data: bytes.subarray(at + 8, end - 4) };
    at = end;
  }
  throw corruptPicture('cut off');
}

/** The resolution from pixels per metre; null where the unit is another one. */
function dpiOf(data: Buffer): number | null {
  return data.length === 9 && data[8] === 1 ? believableDpi(data.readUInt32BE(0) * METRES_PER_INCH) : null;
}

function readIhdr(data: Buffer): Ihdr {
  if (data.length !== 13) throw corruptPicture('length of the header');
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colour = 0, compression, filter, interlace = 2] = data.subarray(8);
  const sized = width > 0 && width <= LARGEST && height > 0 && height <= LARGEST;
  if (!sized || !DEPTHS[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throw corruptPicture('header');
  }
  return { width, height, depth, colour };
}
