import type { Sharp } from 'sharp';
import type { DeskewedPicture, PagePicture, ScaledPicture } from '../formats/document.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { encodeForHere, encodeForSending } from '../pictures/encode.ts';
import { sharp } from '../pictures/sharp.ts';
import { type GreyPicture, greyPicture } from './grey-picture.ts';
import { SKEW_SIDE, skewOf } from './skew.ts';
import { straightSheet } from './straight-sheet.ts';

/**
 * Most pixels of the straight sheet for each of the picture: a page takes a quarter more at most, a long strip many times as
 * many.
 */
const MOST_GROWTH = 2;

interface DeskewOptions {
  /** Least angle: lines that lie askew by less stay as they are. */
  readonly leastDegrees: number;
  encode(image: Sharp): Promise<ScaledPicture>;
}

/** Straightens the lines of a picture, in grey; null where they are straight, or where there are none to go by. */
export function deskew(bytes: Buffer): Promise<DeskewedPicture | null> {
  return deskewed(bytes, { leastDegrees: 0, encode: encodeForHere });
}

/** Straightens the lines of a picture in its own colours, for sending to engines. Null as `deskew`, and below `leastDegrees`. */
export function deskewForSending(
  { bytes, mimeType }: Pick<PagePicture, 'bytes' | 'mimeType'>,
  leastDegrees: number,
): Promise<DeskewedPicture | null> {
  const lossy = mimeType === 'image/jpeg';
  return deskewed(bytes, { leastDegrees, encode: (image) => encodeForSending(image, { lossy }) });
}

/** Straightens any page, wherever it may be decoded. Null also for one that cannot be decoded: its engine reports that. */
export async function deskewPage(
  picture: PagePicture,
  leastDegrees: number,
  client: DocumentClient,
): Promise<DeskewedPicture | null> {
  try {
    return await (picture.decoder
      ? picture.decoder.deskew(picture, leastDegrees, client)
      : deskewForSending(picture, leastDegrees));
  } catch {
    client.signal?.throwIfAborted();
    return null;
  }
}

async function deskewed(bytes: Buffer, { leastDegrees, encode }: DeskewOptions): Promise<DeskewedPicture | null> {
  const copy = await greyPicture(bytes, SKEW_SIDE);
  const degrees = skewOf(copy);
  if (degrees === 0 || Math.abs(degrees) < leastDegrees) return null;
  const sheet = straightSheet(copy, degrees);
  if (sheet.width * sheet.height > MOST_GROWTH * copy.width * copy.height) return null;
  const paper = paperOf(copy);
  const background = { r: paper, g: paper, b: paper };
  return { ...(await encode(sharp(bytes).rotate(-degrees, { background }))), degrees };
}

/** The grey of most pixels. */
function paperOf({ pixels }: GreyPicture): number {
  const counts = new Uint32Array(256);
  for (const grey of pixels) counts[grey] = (counts[grey] ?? 0) + 1;
  return counts.indexOf(Math.max(...counts));
}
