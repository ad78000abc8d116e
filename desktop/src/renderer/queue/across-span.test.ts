import { expect, it } from 'vitest';
import { acrossSpan } from './across-span.ts';

const SPAN = { fromMs: 0, toMs: 1000 };

it('makes one sample stand where it belongs in its time', () => {
  expect(acrossSpan([{ atMs: 990, value: 3 }], SPAN)).toEqual([
    { atMs: 0, value: null },
    { atMs: 990, value: 3 },
    { atMs: 1000, value: null },
  ]);
});

it('adds nothing to samples that reach from end to end', () => {
  const points = [-5, 500, 1000].map((atMs) => ({ atMs, value: 1 }));
  expect(acrossSpan(points, SPAN)).toEqual(points);
});
