import type { Line, Recognition } from './recognition.ts';

/** Degrees, clockwise, by which a page is turned before it is read. */
export type Turn = 90 | 180 | 270;

/** The suspicion about a page's orientation after a first reading. */
export interface Suspicion {
  /** The turns worth trying; none for a page that reads well. */
  readonly turns: readonly Turn[];
  /** Whether the lines run up or down the page. */
  readonly sideways: boolean;
}

/**
 * Least confidence of an upright page: upside down, pages of the corpus read with 0.09 to 0.39, upright ones with more than 0.84,
 * except very poor scans.
 */
const GOOD_CONFIDENCE = 0.7;
/** Letters below which a reading may be chance: they have to be surer. */
const FEW_LETTERS = 12;
const SURE_CONFIDENCE = 0.85;
const LEAST_LETTERS = 4;
/**
 * Least confidence of a page that was set upright: such pages read with 0.92 and more. Photographs, hands and scripts that are
 * unreadable in every orientation read with 0.26 to 0.46 in the one that wins.
 */
export const READABLE = 0.6;
/** Confidence that lines which run up the page do not reach, however clear the print; those that run down do. */
const READ_SIDEWAYS = 0.45;
/**
 * Factor by which the score of the right orientation exceeds the next: it is 1.6 for a line of five Chinese characters, 4 and
 * more for all else.
 */
const CLEARLY = 1.4;
/** Letters below which the shape of the lines says little. */
const SHAPELESS_LETTERS = 20;

/**
 * Tells by a first reading which turns are worth trying. Tesseract also finds lines that run up or down, and reads those that run
 * down (though it may mix up columns). So a page on its side shows by the shape of its lines, and one that is upside down by its
 * confidence.
 */
export function suspectOrientation({ lines, letters, confidence }: Recognition): Suspicion {
  const sideways = isSideways(lines);
  if (sideways && letters >= LEAST_LETTERS)
    return { sideways, turns: letters < SHAPELESS_LETTERS ? [90, 270, 180] : [270, 90] };
  if (readsWell(letters, confidence ?? 0)) return { sideways, turns: [] };
  return { sideways, turns: letters < SHAPELESS_LETTERS ? [180, 90, 270] : [180] };
}

function readsWell(letters: number, confidence: number): boolean {
  if (letters >= FEW_LETTERS) return confidence >= GOOD_CONFIDENCE;
  return letters >= LEAST_LETTERS && confidence >= SURE_CONFIDENCE;
}

/** Whether most letters stand in lines that are clearly taller than wide; single characters have no shape. */
export function isSideways(lines: readonly Line[]): boolean {
  let tall = 0;
  let wide = 0;
  for (const { box, letters } of lines) {
    if (box.height > 1.5 * box.width) tall += letters;
    if (box.width > 1.5 * box.height) wide += letters;
  }
  return tall > wide;
}

/** A reading of a page, or of a part of it, in another orientation. */
export interface Trial {
  readonly turn: Turn;
  readonly recognition: Recognition;
}

/** The score that a turned page has to reach, given how the page (or the same part of it) scored as it lies. */
export function scoreToBeat(score: number, { confidence }: Recognition, { sideways }: Suspicion): number {
  // A page on its side may have been read well as it was; set upright, it is read at least about as well.
  return sideways && (confidence ?? 0) >= READ_SIDEWAYS ? 0.5 * score : CLEARLY * score;
}

/** The trial that clearly is the page's own orientation; null where none stands out. */
export function clearlyBest(trials: readonly Trial[], toBeat: number): Trial | null {
  const [best, next] = trials.filter(isUpright).toSorted((a, b) => b.recognition.score - a.recognition.score);
  if (!best || best.recognition.score <= toBeat || (best.recognition.confidence ?? 0) < READABLE) return null;
  return !next || best.recognition.score > CLEARLY * next.recognition.score ? best : null;
}

/** Whether a trial is upright: a page that is still on its side was not set upright. */
function isUpright({ recognition: { lines, letters } }: Trial): boolean {
  return letters >= 2 && !isSideways(lines);
}
