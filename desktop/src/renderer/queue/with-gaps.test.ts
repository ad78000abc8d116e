import { expect, it } from 'vitest';
import { withGaps } from './with-gaps.ts';

it('breaks the line where samples are missing', () => {
  const points = [0, 60, 120, 600, 660].map((atMs) => ({ atMs, value: 1 }));
  expect(withGaps(points).map(({ atMs, value }) => [atMs, value])).toEqual([
    [0, 1],
    [60, 1],
    [120, 1],
    [180, null],
    [600, 1],
    [660, 1],
  ]);
});

it('leaves an even series, one point and none as they are', () => {
  for (const times of [[0, 60, 120], [5], []]) {
    const points = times.map((atMs) => ({ atMs, value: 2 }));
    expect(withGaps(points)).toEqual(points);
  }
});
