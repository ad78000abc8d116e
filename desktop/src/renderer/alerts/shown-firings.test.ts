import { expect, it } from 'vitest';
import { shownFirings } from './shown-firings.ts';

it('has the newest firing first, and counts those before the latest eight', () => {
  expect(shownFirings(['old', 'late', 'new'])).toEqual({ shown: ['new', 'late', 'old'], more: 0 });
  const fired = Array.from({ length: 10 }, (_, nth) => nth);
  expect(shownFirings(fired)).toEqual({ shown: [9, 8, 7, 6, 5, 4, 3, 2], more: 2 });
  expect(shownFirings([])).toEqual({ shown: [], more: 0 });
});
