import type { Drawing } from './pdf-draw.ts';
import type { Looks } from './pdf-task.ts';

/** Distance of the pixels that are looked at: a stamp or a signature cannot hide between them. */
const STEP = 7;
/** Least difference of channels that is colour; a smaller one is the noise of a grey scan. */
const COLOUR = 12;
const BLACK = 24;
const WHITE = 232;
/**
 * Share of pixels between black and white in a photograph: the soft edges of letters are below 0.1, scans of paper mostly above
 * 0.5.
 */
const BETWEEN = 0.25;

/** Tells by a sample of the pixels whether a page has colour and whether it is a photograph. */
export function looksOf({ pixels, channels }: Pick<Drawing, 'pixels' | 'channels'>): Looks {
  let between = 0;
  let sampled = 0;
  let coloured = false;
  for (let at = 0; at + channels <= pixels.length; at += channels * STEP) {
    const red = pixels[at] ?? 0;
    sampled++;
    if (red > BLACK && red < WHITE) between++;
    if (channels === 1 || coloured) continue;
    const [green = 0, blue = 0] = [pixels[at + 1], pixels[at + 2]];
    coloured = Math.max(red, green, blue) - Math.min(red, green, blue) > COLOUR;
  }
  return { coloured, photographic: between > BETWEEN * sampled };
}
