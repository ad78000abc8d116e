import { expect, it } from 'vitest';
import { backOffMs } from './back-off.ts';

it('doubles up to a quarter of a minute', () => {
  expect([1, 2, 3, 6, 7, 100].map((failures) => backOffMs(failures, () => 1))).toEqual([
    500, 1000, 2000, 15_000, 15_000, 15_000,
  ]);
});

it('is not the same for every console', () => {
  expect(backOffMs(3, () => 0)).toBe(1500);
});
