import { corruptPicture, unreadable } from '../formats/unreadable.ts';
import { type Exif, NO_EXIF, readExif } from './exif.ts';
import { believableDpi, type PictureHeader } from './picture-header.ts';

const MARKER = { startOfScan: 0xda, endOfImage: 0xd9, jfif: 0xe0, exif: 0xe1 };
const END_OF_IMAGE = Buffer.from([0xff, MARKER.endOfImage]);
/** Frames that every decoder knows: baseline, extended and progressive with Huffman coding. */
const COMMON_FRAMES = [0xc0, 0xc1, 0xc2];
const PROGRESSIVE = 0xc2;
/** Most segments before the first scan. Cameras write some dozens; each takes time, and may have as few as four bytes. */
const MOST_SEGMENTS = 2000;
/** Most scans. Encoders make about ten; each may go over the whole picture, whatever the size of the file. */
const MOST_SCANS = 100;
const START_OF_SCAN = Buffer.from([0xff, MARKER.startOfScan]);
/** Markers among the frame markers that are none: C4, C8 and CC. */
const NOT_FRAMES = [0xc4, 0xc8, 0xcc];

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly common: boolean;
  readonly progressive: boolean;
  readonly channels: number;
}

/**
 * Reads the markers of a JPEG up to its first scan, without decoding. Throws `unprocessable_entity` where the markers make no
 * sense, the end of the picture is missing, or it has too many scans.
 */
export function readJpeg(bytes: Buffer): PictureHeader {
  let frame: Frame | undefined;
  let density: number | null = null;
  let exif: Exif | undefined;
  let at = 2;
  let scanChannels = 0;
  for (let count = 0; ; count++) {
    if (count > MOST_SEGMENTS) throw corruptPicture('too many segments');
    const { marker, data, end } = segment(bytes, at);
    if (marker === MARKER.jfif && data.toString('latin1', 0, 5) === 'JFIF\0') density = jfifDpi(data);
    if (marker === MARKER.exif && data.toString('latin1', 0, 6) === 'Exif\0\0') exif ??= readExif(data.subarray(6));
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.includes(marker)) frame ??= readFrame(marker, data);
    at = end;
    if (marker === MARKER.startOfScan) {
      scanChannels = data[0] ?? 0;
      break;
    }
  }
  if (!frame || bytes.lastIndexOf(END_OF_IMAGE) < at) throw corruptPicture('no frame or no end');
  const { width, height, common, channels } = frame;
  const isMany = frame.progressive || scanChannels < channels;
  const passes = isMany ? scansFrom(bytes, at) : 1;
  if (passes > MOST_SCANS) {
    throw unreadable(
      `The picture is stored in more than ${MOST_SCANS} passes: it cannot be decoded in reasonable time.`,
    );
  }
  const { orientation, dpi } = exif ?? NO_EXIF;
  return {
    width,
    height,
    dpi: density ?? dpi,
    orientation,
    plain: common && orientation === 1,
    // With several scans the decoder keeps the coefficients of the whole picture, two bytes each.
    bytesPerPixel: channels * (isMany ? 3 : 1),
    ...(isMany && { passes }),
  };
}

/** Counts the scans of a picture whose first one begins before `start`. Compressed data cannot contain a marker by chance. */
function scansFrom(bytes: Buffer, start: number): number {
  let scans = 1;
  for (let at = bytes.indexOf(START_OF_SCAN, start); at >= 0; at = bytes.indexOf(START_OF_SCAN, at + 2)) {
    if (++scans > MOST_SCANS) break;
  }
  return scans;
}

function segment(bytes: Buffer, start: number): { marker: number; data: Buffer; end: number } {
  let at = start;
  if (bytes[at] !== 0xff) throw corruptPicture('no marker');
  while (bytes[at] === 0xff) at++;
  const marker = bytes[at] ?? 0;
  const length = at + 3 <= bytes.length ? bytes.readUInt16BE(at + 1) : 0;
  const end = at + 1 + length;
  if (length < 2 || end > bytes.length || marker === MARKER.endOfImage) throw corruptPicture('broken marker');
  return { marker, data: bytes.subarray(at + 3, end), end };
}

function readFrame(marker: number, data: Buffer): Frame {
  if (data.length < 6) throw corruptPicture('broken frame');
  const [precision, height, width, channels = 0] = [data[0], data.readUInt16BE(1), data.readUInt16BE(3), data[5]];
  if (width === 0 || height === 0) throw corruptPicture('no size');
  return {
    width,
    height,
    channels,
    progressive: marker === PROGRESSIVE,
    common: COMMON_FRAMES.includes(marker) && precision === 8 && (channels === 1 || channels === 3),
  };
}

function jfifDpi(data: Buffer): number | null {
  if (data.length < 10) return null;
  const [unit, density] = [data[7], data.readUInt16BE(8)];
  if (unit === 1) return believableDpi(density);
  return unit === 2 ? believableDpi(density * 2.54) : null;
}
