import { expect, it } from 'vitest';
import { forgetLongTexts } from './forget-long-texts.ts';

it('empties long texts wherever they stand, and leaves everything else', () => {
  const long = 'A'.repeat(2000);
  const value = {
    engine: 'reader',
    input: { data: long, dpi: 300 },
    items: [{ data: long }, long, null],
    store: false,
  };
  forgetLongTexts(value);
  expect(value).toEqual({
    engine: 'reader',
    input: { data: '', dpi: 300 },
    items: [{ data: '' }, '', null],
    store: false,
  });
  for (const nothing of [null, undefined, long, 1]) forgetLongTexts(nothing);
});
