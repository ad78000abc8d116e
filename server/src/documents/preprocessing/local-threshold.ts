import type { GreyPicture } from './grey-picture.ts';

/** Sauvola's constant: how far below the mean of its surroundings ink is, where their contrast is small. */
const K = 0.2;
/** The largest deviation that greys can have. */
const RANGE = 128;
const INK = 0;
const PAPER = 255;

/**
 * Divides ink from paper, each pixel judged by its surroundings (a square of `2 * radius + 1`), so that neither a shadow nor a
 * dark corner hides letters. A page that is mostly dark counts as light letters on dark paper.
 */
export function localThreshold({ pixels, width, height }: GreyPicture, radius: number): Uint8Array {
  const flip = isDark(pixels) ? PAPER : 0;
  const grey = (at: number) => (pixels[at] ?? 0) ^ flip;
  const made = new Uint8Array(pixels.length);
  // Sums of the columns between the first and the last row of the square: they move along, row by row.
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  const move = (row: number, sign: 1 | -1) => {
    if (row < 0 || row >= height) return;
    for (let x = 0; x < width; x++) {
      const value = grey(row * width + x);
      sums[x] = (sums[x] ?? 0) + sign * value;
      squares[x] = (squares[x] ?? 0) + sign * value * value;
    }
  };
  for (let row = 0; row < radius; row++) move(row, 1);
  for (let y = 0; y < height; y++) {
    move(y + radius, 1);
    move(y - radius - 1, -1);
    const rows = Math.min(height, y + radius + 1) - Math.max(0, y - radius);
    thresholdRow(y * width, rows);
  }
  return made;

  function thresholdRow(start: number, rows: number): void {
    let sum = 0;
    let square = 0;
    for (let x = 0; x < Math.min(radius, width); x++) {
      sum += sums[x] ?? 0;
      square += squares[x] ?? 0;
    }
    for (let x = 0; x < width; x++) {
      if (x + radius < width) {
        sum += sums[x + radius] ?? 0;
        square += squares[x + radius] ?? 0;
      }
      if (x - radius - 1 >= 0) {
        sum -= sums[x - radius - 1] ?? 0;
        square -= squares[x - radius - 1] ?? 0;
      }
      const count = rows * (Math.min(width, x + radius + 1) - Math.max(0, x - radius));
      const mean = sum / count;
      const deviation = Math.sqrt(Math.max(0, square / count - mean * mean));
      made[start + x] = grey(start + x) <= mean * (1 + K * (deviation / RANGE - 1)) ? INK : PAPER;
    }
  }
}

function isDark(pixels: Uint8Array): boolean {
  let dark = 0;
  for (const grey of pixels) if (grey < RANGE) dark++;
  return dark * 2 > pixels.length;
}
