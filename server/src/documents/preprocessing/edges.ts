import { darkLimit, type GreyPicture } from './grey-picture.ts';

/**
 * The steepness of letters' edges: the average step from one pixel to the next, as a share (0 to 1) of the contrast between ink
 * and paper. Print and good scans have 0.3 and more, pictures out of focus 0.2 and less.
 */
export function edgeSteepness(picture: GreyPicture): number {
  const { pixels, width } = picture;
  const limit = darkLimit(picture);
  const levels = { ink: { sum: 0, count: 0 }, paper: { sum: 0, count: 0 } };
  let steps = 0;
  let edges = 0;
  for (let at = 0; at < pixels.length; at++) {
    const grey = pixels[at] ?? 0;
    const level = grey <= limit ? levels.ink : levels.paper;
    level.sum += grey;
    level.count++;
    const next = (at + 1) % width === 0 ? grey : (pixels[at + 1] ?? grey);
    if (grey <= limit === next <= limit) continue;
    steps += Math.abs(grey - next);
    edges++;
  }
  const { ink, paper } = levels;
  if (edges === 0 || ink.count === 0 || paper.count === 0) return 0;
  return steps / edges / (paper.sum / paper.count - ink.sum / ink.count);
}
