import type { TextObject } from '../single-glyphs/text-object.ts';
import { BLANK, type DrawnGlyph, type Extent, type Place, placesOf, SAME_LINE } from './drawn-places.ts';
import { inReadingOrder, isFromRightPage } from './reading-order.ts';

/** Places that follow each other both in the PDF and on the page. */
type Stretch = Place[];

interface Line extends Extent {
  readonly stretches: Stretch[];
  left: number;
  right: number;
  low: number;
  high: number;
}

/** Distances in sizes of the letters. From `FAR` on, places are parts of different lines. */
const FAR = 2;
/** Distance, in sizes of the letters, behind a blank: a drawn one is as wide as a justified line wants. */
const FAR_BLANK = 6;
const STEP_BACK = 1;
const GAP = 0.25;
/** Lines above to which a stretch may still belong. */
const LINES_BACK = 20;

/**
 * The text of a page from the right whose glyphs are drawn one by one, with blanks among them (Chromium's PDFs): its lines by the
 * places of the glyphs, in the order in which they are read. PDFium loses these blanks, and the order of text from the left
 * there.
 */
export function readDrawnLines(objects: readonly TextObject[], glyphs: readonly DrawnGlyph[]): string {
  const visual = whole(whole(linesOf(placesOf(objects, glyphs)))).map(({ stretches }) => {
    return withBlanks(stretches.map(fromLeft).toSorted(byLeft).flat());
  });
  const pageIsFromRight = isFromRightPage(visual);
  const read = visual.map((line) => inReadingOrder(line, pageIsFromRight).replace(/ +/g, BLANK).trim());
  return read.filter((line) => line !== '').join('\n');
}

function linesOf(places: readonly Place[]): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const place of places) {
    const stretch = line?.stretches.at(-1);
    const before = stretch?.at(-1);
    if (line && stretch && before && goesOn(line, before, place)) stretch.push(place);
    else {
      const known = lines.slice(-LINES_BACK).findLast((one) => isNear(one, place));
      line = known ?? newLine(place);
      line.stretches.push([place]);
      if (!known) lines.push(line);
    }
    widen(line, place);
  }
  return lines;
}

/** Joins parts of a line that were far from each other until something came between them. */
function whole(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  for (const line of lines) {
    const other = kept.slice(-LINES_BACK).findLast((one) => isNear(one, line));
    if (!other) kept.push(line);
    else {
      for (const stretch of line.stretches) other.stretches.push(stretch);
      widen(other, line);
    }
  }
  return kept;
}

function newLine({ left, right, low, high, size }: Place): Line {
  return { stretches: [], left, right, low, high, size };
}

function widen(line: Line, { left, right, low, high }: Extent): void {
  line.left = Math.min(line.left, left);
  line.right = Math.max(line.right, right);
  line.low = Math.min(line.low, low);
  line.high = Math.max(line.high, high);
}

function goesOn(line: Line, before: Place, place: Place): boolean {
  const far = before.text === BLANK ? FAR_BLANK : FAR;
  return isNear(line, place, far) && place.left > before.left - STEP_BACK * place.size;
}

function isNear({ left, right, low, high }: Line, other: Extent, times = FAR): boolean {
  const [near, far] = [SAME_LINE * other.size, times * other.size];
  const isLevel = other.low > low - near && other.high < high + near;
  return isLevel && other.left < right + far && other.right > left - far;
}

/** Orders a stretch from left to right. Glyphs overlap, so the order in the PDF is kept unless it mostly steps back. */
function fromLeft(stretch: Stretch): Stretch {
  const back = stretch.filter(({ left }, index) => left < (stretch[index - 1]?.left ?? left)).length;
  return back > stretch.length / 2 ? stretch.toSorted((a, b) => a.left - b.left) : stretch;
}

function byLeft([one]: Stretch, [other]: Stretch): number {
  return (one?.left ?? 0) - (other?.left ?? 0);
}

/** The texts of a line from left to right, with blanks also where there is room for one. */
function withBlanks(line: readonly Place[]): string[] {
  return line.flatMap(({ text, left, size }, index) => {
    const before = line[index - 1];
    return before && left - before.right > GAP * size ? [BLANK, text] : [text];
  });
}
