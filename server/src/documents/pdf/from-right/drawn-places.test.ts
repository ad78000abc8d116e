import { expect, it } from 'vitest';
import type { TextObject } from '../single-glyphs/text-object.ts';
import { type DrawnGlyph, placesOf } from './drawn-places.ts';

const MANY = 200_000;

function object(handle: number, span: number): TextObject {
  return { handle, x: 1, y: 1, size: 10, box: [handle, 0, handle + 1, 10], span, spanText: span === 0 ? '' : 'text' };
}

function glyph(handle: number): DrawnGlyph {
  return { object: handle, text: 'a', x: 1, y: 1, left: 1, right: 2 } as DrawnGlyph; // all that is looked at
}

it('a cluster of as many pieces as a hostile page has is one place, as wide as they are', () => {
  const objects = Array.from({ length: MANY }, (_, n) => object(n + 1, 7));
  expect(placesOf(objects, [glyph(1)])).toEqual([
    { text: 'text', left: 1, right: MANY + 1, low: 1, high: 1, size: 10 },
  ]);
});

it('a cluster of which nothing is drawn is looked at once', () => {
  const objects = Array.from({ length: MANY }, (_, n) => object(n + 1, 7));
  expect(placesOf(objects, [])).toEqual([]);
});

it('as many letters at one place are one place', () => {
  const glyphs = Array.from({ length: MANY }, () => glyph(1));
  expect(placesOf([object(1, 0)], glyphs)).toMatchObject([{ left: 1, right: 2 }]);
});

it('one piece of as many letters has a place for each', () => {
  const glyphs = Array.from({ length: MANY }, (_, n) => ({ ...glyph(1), x: n, left: n, right: n + 1 }));
  expect(placesOf([object(1, 0)], glyphs)).toHaveLength(MANY);
});
