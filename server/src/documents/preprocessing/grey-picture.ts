import { sharp } from '../pictures/sharp.ts';

/** Grey pixels, rows from the top without gaps. */
export interface GreyPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The grey pixels of a picture, made smaller where a side is longer than `longestSide`. */
export async function greyPicture(bytes: Buffer, longestSide: number): Promise<GreyPicture> {
  const { data, info } = await sharp(bytes)
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The grey level that divides ink from paper best (Otsu). */
export function darkLimit({ pixels }: Pick<GreyPicture, 'pixels'>): number {
  const counts = new Uint32Array(256);
  for (const grey of pixels) counts[grey] = (counts[grey] ?? 0) + 1;
  const total = pixels.length;
  const sum = counts.reduce((all, count, grey) => all + count * grey, 0);
  let below = 0;
  let sumBelow = 0;
  let best = { spread: -1, limit: 128 };
  for (let limit = 0; limit < 255; limit++) {
    below += counts[limit] ?? 0;
    sumBelow += limit * (counts[limit] ?? 0);
    if (below === 0 || below === total) continue;
    const distance = sumBelow / below - (sum - sumBelow) / (total - below);
    const spread = below * (total - below) * distance ** 2;
    if (spread > best.spread) best = { spread, limit };
  }
  return best.limit;
}
