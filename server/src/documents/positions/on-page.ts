import type { PlacedWord } from '../formats/document.ts';

type Quad = PlacedWord['box'];

/** How far a box may stick out of the page, as a share of it; it is cut off there. */
const SLACK = 0.005;

/** Whether the middle of a box is on the page, and all its values are numbers. */
export function isOnPage(quad: Quad): boolean {
  const [x1, y1, x2, y2, x3, y3, x4, y4] = quad;
  const [x, y] = [(x1 + x2 + x3 + x4) / 4, (y1 + y2 + y3 + y4) / 4];
  return quad.every(Number.isFinite) && [x, y].every((value) => value >= -SLACK && value <= 1 + SLACK);
}

export function isWithin(quad: Quad): boolean {
  for (const value of quad) if (!(value >= 0 && value <= 1)) return false;
  return true;
}

/** The box, cut off at the page's edges. */
export function within(quad: Quad): Quad {
  // `as`: it has as many numbers as before.
  return quad.map((value) => Math.min(1, Math.max(0, value))) as unknown as Quad;
}
