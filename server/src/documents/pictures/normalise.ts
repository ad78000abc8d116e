import type { Sharp } from 'sharp';
import { MIME_TYPES, type PagePicture } from '../formats/document.ts';
import { corruptPicture } from '../formats/unreadable.ts';
import { backdropOf, WHITE } from './backdrop.ts';
import { pngOfBmp } from './bmp.ts';
import { encodeForHere, encodeForSending, forHere } from './encode.ts';
import type { PictureWriter } from './picture-file.ts';
import type { PictureHeader } from './picture-header.ts';
import { type PictureFormat, readHeader } from './read-header.ts';
import { sharp } from './sharp.ts';

export interface Wanted {
  /** The frame of a multi-page TIFF, counted from 1. */
  readonly frame: number;
  /** Whether the picture is always decoded and encoded again, so that nothing of the original bytes gets through. */
  readonly decoded: boolean;
  /** Writes a decoded picture to a file in place of its bytes; null for none. */
  readonly files: PictureWriter | null;
  readonly maxPixels: number;
  readonly maxSentPixels: number;
  /** Whether a transparent picture may be laid on black where white would hide its letters; true unless given. */
  readonly preprocess?: boolean | undefined;
}

const TURNED = 5;

/**
 * Brings a picture into the form that engines receive: upright, opaque, 8 bits, sRGB or grey, one frame, PNG or JPEG, within the
 * size cap. One that has this form is handed on as it is.
 */
export async function normalise(bytes: Buffer, format: PictureFormat, wanted: Wanted): Promise<PagePicture> {
  const header = await readHeader(bytes, { format, frame: wanted.frame, maxPixels: wanted.maxPixels });
  const asItIs = untouched(bytes, { format, header, wanted });
  if (asItIs) return asItIs;
  try {
    return await decodeAndEncode(format === 'bmp' ? await pngOfBmp(bytes) : bytes, { format, header, wanted });
  } catch (error) {
    throw corruptPicture(error);
  }
}

/** The picture as it came, where any engine can take it; null where it has to be decoded. */
export function untouched(
  bytes: Buffer,
  {
    format,
    header,
    wanted,
  }: { format: PictureFormat; header: PictureHeader; wanted: Pick<Wanted, 'decoded' | 'maxSentPixels'> },
): PagePicture | null {
  const { width, height, dpi, plain } = header;
  const fits = width * height <= wanted.maxSentPixels;
  if (!plain || !fits || wanted.decoded || (format !== 'png' && format !== 'jpeg')) return null;
  return { bytes, mimeType: MIME_TYPES[format] as PagePicture['mimeType'], width, height, dpi, warnings: [] };
}

async function decodeAndEncode(
  bytes: Buffer,
  { format, header, wanted }: { format: PictureFormat; header: PictureHeader; wanted: Wanted },
): Promise<PagePicture> {
  const source = sharp(bytes, {
    failOn: 'error',
    limitInputPixels: wanted.maxPixels,
    ...(format === 'tiff' && { page: wanted.frame - 1 }),
  });
  const backdrop = wanted.preprocess !== false && (await source.metadata()).hasAlpha ? await backdropOf(source) : WHITE;
  const size = uprightSize(header);
  const scale = Math.min(1, Math.sqrt(wanted.maxSentPixels / (size.width * size.height)));
  const upright = shrink(source.autoOrient().flatten({ background: backdrop }), size, scale);
  const dpi = header.dpi && Math.round(header.dpi * scale);
  const warningsOf = (result: Size) => (scale < 1 ? [scaledDown(size, result)] : []);
  const steps = backdrop === WHITE ? {} : { steps: ['flattened'] as const };
  if (wanted.decoded && wanted.files) {
    return Object.assign(await wanted.files.write(forHere(upright), { dpi, warningsOf }), steps);
  }
  const encoded = wanted.decoded
    ? await encodeForHere(upright)
    : await encodeForSending(await inOwnColours(upright), { lossy: format === 'jpeg' || format === 'webp' });
  return { ...encoded, dpi, warnings: warningsOf(encoded), ...steps };
}

function uprightSize({ width, height, orientation }: PictureHeader): Size {
  return orientation >= TURNED ? { width: height, height: width } : { width, height };
}

function shrink(image: Sharp, size: Size, scale: number): Sharp {
  if (scale === 1) return image;
  return image.resize({ width: Math.max(1, Math.floor(size.width * scale)), fit: 'inside' });
}

/** Names the colour space: without it, grey pictures would come out with three channels, and 16 bits as 16 bits. */
async function inOwnColours(image: Sharp): Promise<Sharp> {
  const { space } = await image.metadata();
  return image.toColourspace(space === 'b-w' || space === 'grey16' ? 'b-w' : 'srgb');
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function scaledDown(from: Size, to: Size): string {
  return `The picture of ${from.width} × ${from.height} pixels was scaled down to ${to.width} × ${to.height}.`;
}
