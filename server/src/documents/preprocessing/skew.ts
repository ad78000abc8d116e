import { darkLimit, type GreyPicture } from './grey-picture.ts';

/** Longest side of the copy that is measured: letters of a page are some ten pixels high on it. */
export const SKEW_SIDE = 1000;
/** Greatest angle in degrees: scans that were laid askew; a page that is turned by more was not meant to be straight. */
const MOST = 6;
const COARSE = 0.5;
const FINE = 0.1;
/** Least angle in degrees: a smaller one does Tesseract no harm, and turning pixels costs some sharpness. */
const LEAST = 0.4;
/** Least ratios of the profile of straight lines to that of the page as it lies, and to that of no lines at all. */
const BETTER_THAN_AS_IT_LIES = 1.15;
const BETTER_THAN_NO_LINES = 1.5;
/** Fewest feet of letters: fewer are a word or a drawing. */
const FEWEST_FEET = 400;

interface Feet {
  readonly x: Int16Array;
  readonly y: Int16Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Degrees by which the lines of a page fall to the right (clockwise); 0 where they are straight, or where there are none. The
 * feet of all letters are projected along each angle: along the angle of the lines, they gather in few rows.
 */
export function skewOf(picture: GreyPicture): number {
  const feet = feetOf(picture);
  if (feet.x.length < FEWEST_FEET) return 0;
  const coarse = angles(-MOST, MOST, COARSE).map((angle) => ({ angle, sharpness: sharpness(feet, angle) }));
  const rough = coarse.reduce((best, one) => (one.sharpness > best.sharpness ? one : best));
  const usual = coarse.map((one) => one.sharpness).sort((a, b) => a - b)[coarse.length >> 1] ?? 0;
  const best = angles(rough.angle - COARSE, rough.angle + COARSE, FINE)
    .map((angle) => ({ angle, sharpness: sharpness(feet, angle) }))
    .reduce((one, other) => (other.sharpness > one.sharpness ? other : one));
  if (Math.abs(best.angle) < LEAST || Math.abs(best.angle) > MOST) return 0;
  const isClear =
    best.sharpness > BETTER_THAN_AS_IT_LIES * sharpness(feet, 0) && best.sharpness > BETTER_THAN_NO_LINES * usual;
  return isClear ? best.angle : 0;
}

/** Finds the feet: the lowest pixels of all strokes. On a dark page the bright pixels are ink. */
function feetOf(picture: GreyPicture): Feet {
  const { pixels, width, height } = picture;
  const limit = darkLimit(picture);
  let dark = 0;
  for (const grey of pixels) if (grey <= limit) dark++;
  const inkIsDark = dark * 2 <= pixels.length;
  const isInk = (at: number) => (pixels[at] ?? 0) <= limit === inkIsDark;
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row + 1 < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      if (!isInk(at) || isInk(at + width)) continue;
      x.push(column);
      y.push(row);
    }
  }
  return { x: Int16Array.from(x), y: Int16Array.from(y), width, height };
}

/** The sharpness of a projection: how unlike neighbouring rows are (Postl). */
function sharpness({ x, y, width, height }: Feet, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const shift = Math.ceil(Math.abs(slope) * width);
  const rows = new Int32Array(height + 2 * shift + 2);
  for (let index = 0; index < x.length; index++) {
    const row = Math.round((y[index] ?? 0) - slope * (x[index] ?? 0)) + shift;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row++) sum += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2;
  return sum;
}

function angles(from: number, to: number, step: number): number[] {
  const count = Math.round((to - from) / step) + 1;
  return Array.from({ length: count }, (_, index) => Number((from + index * step).toFixed(2)));
}
