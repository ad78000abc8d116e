import { sharp } from '../pictures/sharp.ts';
import { type GreyPicture, greyPicture } from './grey-picture.ts';
import { SKEW_SIDE, skewOf } from './skew.ts';

/** The picture with its lines straight; null where they are, or where there are no lines to go by. */
export async function deskew(bytes: Buffer): Promise<{ bytes: Buffer; degrees: number } | null> {
  const copy = await greyPicture(bytes, SKEW_SIDE);
  const degrees = skewOf(copy);
  if (degrees === 0) return null;
  const paper = paperOf(copy);
  const background = { r: paper, g: paper, b: paper };
  const straight = sharp(bytes).toColourspace('b-w').rotate(-degrees, { background });
  return { bytes: await straight.png({ compressionLevel: 0 }).toBuffer(), degrees };
}

/** The grey of most pixels. */
function paperOf({ pixels }: GreyPicture): number {
  const counts = new Uint32Array(256);
  for (const grey of pixels) counts[grey] = (counts[grey] ?? 0) + 1;
  return counts.indexOf(Math.max(...counts));
}
