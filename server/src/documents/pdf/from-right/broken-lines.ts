import { maxOf, minOf } from '../../../platform/numbers/extremes.ts';
import { isWrittenFromRight, type PlacedCharacter } from './ligatures.ts';

/** A character with the edges of its glyph. A generated one is a blank or a break that PDFium has put there. */
export interface PlacedGlyph extends PlacedCharacter {
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly isGenerated: boolean;
}

/** A stretch of text that PDFium took for a line of its own. */
interface Run {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly height: number;
}

/** Greatest differences within a line, in heights of a glyph: its runs stand at one height, and close together. */
const SAME_LINE = 0.3;
const CLOSE = 1.5;
/** Least gap, in heights of a glyph, that is a blank although nobody has written one. */
const GAP = 0.12;
/** Share of a page's runs that go on where another one ends, from which on its lines are broken up. */
const BROKEN_UP = 0.3;
const FEWEST_BREAKS = 3;
/** Lines above to which a run may still belong. */
const LINES_BACK = 20;

/**
 * Joins the lines of a page from the right that PDFium breaks up: where a program writes each glyph by itself, from left to
 * right, PDFium takes steps back for ends of lines. Null for a page that is not broken up.
 */
export function joinBrokenLines(glyphs: readonly PlacedGlyph[]): string | null {
  const runs = runsOf(glyphs);
  const breaks = runs.filter((run, index) => index > 0 && belongTogether(runs[index - 1], run)).length;
  if (breaks < FEWEST_BREAKS || breaks < BROKEN_UP * runs.length) return null;
  const lines: Line[] = [];
  for (const run of runs) {
    const line = lines.slice(-LINES_BACK).findLast(({ extent }) => belongTogether(extent, run));
    if (!line) lines.push({ runs: [run], extent: run });
    else {
      line.runs.push(run);
      line.extent = widened(line.extent, run);
    }
  }
  return lines.map((line) => textOfLine(line.runs)).join('\n');
}

interface Line {
  readonly runs: Run[];
  /** The line from its left edge to its right one, as one run. */
  extent: Run;
}

function widened(extent: Run, { left, right }: Run): Run {
  return { ...extent, left: Math.min(extent.left, left), right: Math.max(extent.right, right) };
}

function runsOf(glyphs: readonly PlacedGlyph[]): Run[] {
  const runs: Run[] = [];
  let current: PlacedGlyph[] = [];
  const end = () => {
    const text = current.map((glyph) => glyph.text).join('');
    const [first] = current;
    if (first && text.trim() !== '') {
      const left = minOf(current.map((glyph) => glyph.left));
      const right = maxOf(current.map((glyph) => glyph.right));
      runs.push({ text, left, right, y: first.y, height: maxOf(current.map(({ height }) => height)) });
    }
    current = [];
  };
  for (const glyph of glyphs) {
    if (glyph.isGenerated && /[\r\n]/.test(glyph.text)) end();
    else current.push(glyph);
  }
  end();
  return runs;
}

function belongTogether(one: Run | undefined, other: Run): boolean {
  if (!one) return false;
  const height = Math.max(one.height, other.height);
  const gap = Math.max(one.left, other.left) - Math.min(one.right, other.right);
  return Math.abs(one.y - other.y) < SAME_LINE * height && gap < CLOSE * height;
}

function textOfLine(line: readonly Run[]): string {
  const fromRight = line.some(({ text }) => isWrittenFromRight(text));
  const ordered = line.toSorted((a, b) => (fromRight ? b.right - a.right : a.left - b.left));
  const runs = fromRight ? withNumbersInOrder(ordered) : ordered;
  return runs.reduce((text, run, index) => {
    const before = runs[index - 1];
    return text + (before && hasGap(before, run) ? ' ' : '') + run.text;
  }, '');
}

/** Orders the runs of a line: neighbours without a letter from the right run from the left among themselves. */
function withNumbersInOrder(runs: readonly Run[]): Run[] {
  const ordered: Run[] = [];
  let numbers: Run[] = [];
  for (const run of runs) {
    if (/[\p{Script=Latin}\p{N}]/u.test(run.text) && !isWrittenFromRight(run.text)) numbers.unshift(run);
    else {
      for (const number of numbers) ordered.push(number);
      ordered.push(run);
      numbers = [];
    }
  }
  return [...ordered, ...numbers];
}

function hasGap(one: Run, other: Run): boolean {
  if (/\s$/.test(one.text) || /^\s/.test(other.text)) return false;
  const gap = Math.max(one.left, other.left) - Math.min(one.right, other.right);
  return gap > GAP * Math.max(one.height, other.height);
}
