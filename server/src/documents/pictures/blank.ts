import type { PagePicture } from '../formats/document.ts';
import { sharp } from './sharp.ts';

/**
 * Longest side of the copy that is looked at, which is at most three times smaller than the picture: letters stay, grains of a
 * scan do not.
 */
const LOOK_SIDE = 1200;
const LARGEST_SHRINK = 3;
/** Share of each side that may have the shadow of the scanner's edge. */
const MARGIN = 0.02;
/** Least difference between ink and its surroundings, of 255. */
const INK = 24;
/** Radius of the surroundings of a pixel: wider than the stroke of a heading, narrower than an uneven light. */
const SURROUNDINGS = 20;
/** Most connected pixels of a speck; no letter is that small. */
const SPECK_PIXELS = 6;

/**
 * Whether a page is blank to the eye: an even colour, black too, with at most some specks. A picture that was not decoded before
 * may be broken inside: it is judged as far as it can be decoded.
 */
export async function isBlank(picture: PagePicture): Promise<boolean> {
  const [left, top] = [Math.floor(picture.width * MARGIN), Math.floor(picture.height * MARGIN)];
  const size = { width: picture.width - 2 * left, height: picture.height - 2 * top };
  const side = Math.ceil(Math.max(LOOK_SIDE, Math.max(size.width, size.height) / LARGEST_SHRINK));
  const { data, info } = await sharp(picture.bytes, { failOn: 'none' })
    .extract({ left, top, ...size })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return !hasInk(data, info.width, info.height);
}

function hasInk(grey: Uint8Array, width: number, height: number): boolean {
  const ink = inkOf(grey, width, height);
  return ink.some((mark, index) => mark === 1 && blotch(ink, index, width) > SPECK_PIXELS);
}

/** Marks pixels that stand out from the mean of their surroundings with 1. */
function inkOf(grey: Uint8Array, width: number, height: number): Uint8Array {
  const sums = sumTable(grey, width, height);
  const ink = new Uint8Array(width * height);
  const row = width + 1;
  for (let y = 0; y < height; y++) {
    const [y0, y1] = [Math.max(0, y - SURROUNDINGS), Math.min(height, y + SURROUNDINGS + 1)];
    for (let x = 0; x < width; x++) {
      const [x0, x1] = [Math.max(0, x - SURROUNDINGS), Math.min(width, x + SURROUNDINGS + 1)];
      const sum = at(sums, y1 * row + x1) - at(sums, y0 * row + x1) - at(sums, y1 * row + x0) + at(sums, y0 * row + x0);
      const mean = sum / ((x1 - x0) * (y1 - y0));
      if (Math.abs(at(grey, y * width + x) - mean) > INK) ink[y * width + x] = 1;
    }
  }
  return ink;
}

/** The sum of all values above and to the left of each corner: any rectangle's sum is four look-ups. */
function sumTable(grey: Uint8Array, width: number, height: number): Float64Array {
  const row = width + 1;
  const sums = new Float64Array(row * (height + 1));
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++) {
      sum += at(grey, y * width + x);
      sums[(y + 1) * row + x + 1] = at(sums, y * row + x + 1) + sum;
    }
  }
  return sums;
}

/** Counts the ink that hangs together with a pixel, and wipes it; stops counting once it is no speck. */
function blotch(ink: Uint8Array, start: number, width: number): number {
  const open = [start];
  let pixels = 0;
  ink[start] = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (++pixels > SPECK_PIXELS) return pixels;
    for (const step of [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]) {
      if (!ink[next + step]) continue;
      ink[next + step] = 0;
      open.push(next + step);
    }
  }
  return pixels;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
