import { maxOf, minOf } from '../../../platform/numbers/extremes.ts';
import { isBlank, type TextObject } from '../single-glyphs/text-object.ts';
import type { PlacedGlyph } from './broken-lines.ts';
import { isWrittenFromRight, orderedLigature } from './ligatures.ts';

/** A character with the object that draws it; 0 for none. */
export interface DrawnGlyph extends PlacedGlyph {
  readonly object: number;
}

export interface Extent {
  readonly left: number;
  readonly right: number;
  /** Lowest and highest of the lines that letters stand on. */
  readonly low: number;
  readonly high: number;
  readonly size: number;
}

/** Letters that stand at one place on the page, or a blank. */
export interface Place extends Extent {
  readonly text: string;
}

export const BLANK = ' ';
/** Greatest difference in height within a line, in sizes of the letters. */
export const SAME_LINE = 0.5;
/** Greatest share of steps from letter to letter that go back. */
const MOST_BACK = 0.2;

/** Whether a page's letters from the right are drawn one by one, from the left, with blanks among them. */
export function isDrawnByGlyphs(objects: readonly TextObject[], glyphs: readonly DrawnGlyph[]): boolean {
  const known = new Set(objects.map(({ handle }) => handle));
  const isWhole = glyphs.every(({ object }) => object === 0 || known.has(object));
  if (!isWhole || !objects.some((object) => object.span === 0 && isBlank(object))) return false;
  const places = new Map<number, number>();
  for (const [index, { object, text, x }] of glyphs.entries()) {
    if (object === 0 || !isWrittenFromRight(text)) continue;
    const before = glyphs[index - 1];
    const isSamePlace = before?.object === object && before.x === x;
    places.set(object, (places.get(object) ?? 0) + (isSamePlace ? 0 : 1));
  }
  const single = [...places.values()].filter((count) => count === 1).length;
  const letters = objects.filter(({ handle }) => places.has(handle));
  const steps = letters.map(({ x, y, size }, index) => {
    const before = letters[index - 1];
    return before && Math.abs(before.y - y) < SAME_LINE * size ? x - before.x : 0;
  });
  const back = steps.filter((step) => step < 0).length;
  return single > letters.length / 2 && back < MOST_BACK * steps.filter((step) => step !== 0).length;
}

/** The places of a page's text, in the order in which they are drawn. */
export function placesOf(objects: readonly TextObject[], glyphs: readonly DrawnGlyph[]): Place[] {
  const drawn = Map.groupBy(
    glyphs.filter(({ object }) => object !== 0),
    ({ object }) => object,
  );
  const spans = Map.groupBy(objects, ({ span }) => span);
  const found: Place[] = [];
  const given = new Set<number>();
  for (const object of objects) {
    const { handle, span, spanText, x, y, size } = object;
    if (span !== 0 && spanText !== '') {
      const parts = spans.get(span) ?? [object];
      if (given.has(span)) continue;
      given.add(span);
      if (!parts.some((part) => drawn.has(part.handle))) continue;
      const left = minOf(parts.map(({ box }) => box[0]));
      const right = maxOf(parts.map(({ box }) => box[2]));
      found.push({ text: spanText, left, right, low: y, high: y, size });
    } else if (drawn.has(handle)) {
      for (const place of byPlace(drawn.get(handle) ?? [], size)) found.push(place);
    } else if (isBlank(object)) found.push({ text: BLANK, left: x, right: x, low: y, high: y, size });
  }
  return found;
}

/** Groups letters by place, and orders the places from left to right. */
function byPlace(glyphs: readonly DrawnGlyph[], size: number): Place[] {
  const found: Place[] = [];
  let letters: DrawnGlyph[] = [];
  for (const [index, glyph] of glyphs.entries()) {
    letters.push(glyph);
    const next = glyphs[index + 1];
    if (next?.x === glyph.x && next.y === glyph.y) continue;
    const text = orderedLigature(letters.map((letter) => letter.text).join(''));
    const left = Math.min(glyph.x, minOf(letters.map((letter) => letter.left)));
    const right = maxOf(letters.map((letter) => letter.right));
    found.push({ text, left, right, low: glyph.y, high: glyph.y, size });
    letters = [];
  }
  return found.sort((one, other) => one.left - other.left);
}
