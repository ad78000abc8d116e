import { expect, it } from 'vitest';
import { forgetLongTexts } from './forget-long-texts.ts';

const LONG = 'A'.repeat(64 * 1024);
const SETTINGS = 'b'.repeat(16 * 1024);

it('empties long texts wherever they stand, and leaves everything else', () => {
  const value = {
    engine: 'reader',
    input: { data: LONG, dpi: 300 },
    items: [{ data: LONG }, LONG, null],
    note: SETTINGS,
  };
  forgetLongTexts(value);
  expect(value).toEqual({
    engine: 'reader',
    input: { data: '', dpi: 300 },
    items: [{ data: '' }, '', null],
    note: SETTINGS,
  });
  for (const nothing of [null, undefined, LONG, 1]) forgetLongTexts(nothing);
});

it('goes as deep as a caller nests', () => {
  const inner = { data: LONG };
  let value: object = inner;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  forgetLongTexts(value);
  expect(inner.data).toBe('');
});
