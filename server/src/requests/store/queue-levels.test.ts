import { expect, it } from 'vitest';
import { HANDICAPS_US, levelOf, RETURNED_LEVEL } from './queue-levels.ts';

it('puts an account’s first request before its second one, and many onto few levels', () => {
  expect([0, 1, 2, 3, 6, 7, 14, 15].map(levelOf)).toEqual([1, 2, 2, 3, 3, 4, 4, 5]);
  expect(levelOf(1e9)).toBe(HANDICAPS_US.length - 1);
});

it('makes each level wait longer than the one before, and what returns not at all', () => {
  expect(HANDICAPS_US.toSorted((a, b) => a - b)).toEqual(HANDICAPS_US);
  expect(HANDICAPS_US[RETURNED_LEVEL]).toBeLessThan(0);
  expect(HANDICAPS_US[1]).toBe(0);
});
