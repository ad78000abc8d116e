import { expect, it } from 'vitest';
import { hasOwnTime, rangeIn, withRange } from './time-range.ts';

it('takes 24 hours where the address names no range that there is', () => {
  expect(['', 'range=7d', 'range=9y'].map((search) => rangeIn(search).id)).toEqual(['24h', '7d', '24h']);
});

it('is not what a page with a time of its own goes by', () => {
  expect(['range=7d&status=failed', 'from=2026-11-21T10:00:00Z', 'zoom=a~b', 'time=any'].map(hasOwnTime)).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

it('ends the time of the page’s own when another one is chosen, and leaves the rest', () => {
  expect(withRange('status=failed&from=a&to=b&zoom=c&time=any&range=7d', '1h')).toBe('status=failed&range=1h');
});
