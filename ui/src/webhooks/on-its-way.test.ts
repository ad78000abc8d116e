import { expect, it } from 'vitest';
import { isOnItsWay, nextLookMs } from './on-its-way.ts';

function entry(attempt: number, status: 'pending' | 'delivered' | 'failed' | 'skipped', second = attempt) {
  return { id: 'whd_1', attempt, status, createdAt: `2026-11-21T10:00:0${second}.000Z` };
}

it('follows a delivery from its announcement to its last attempt', () => {
  const failed = [1, 2, 3].map((attempt) => entry(attempt, 'failed'));
  expect(isOnItsWay([entry(0, 'pending')])).toBe(true);
  expect(isOnItsWay(failed)).toBe(true);
  expect(isOnItsWay([...failed, entry(4, 'failed')])).toBe(false);
  expect(isOnItsWay([...failed, entry(4, 'delivered')])).toBe(false);
  expect(isOnItsWay([entry(0, 'skipped')])).toBe(false);
  expect(isOnItsWay([])).toBe(false);
});

it('goes by the newest entry of each delivery, in whichever order they are listed', () => {
  const log = [
    entry(1, 'delivered', 6),
    entry(4, 'failed'),
    entry(3, 'failed'),
    entry(2, 'failed'),
    entry(1, 'failed'),
  ];
  expect(isOnItsWay(log)).toBe(false);
  expect(isOnItsWay([...log, { ...entry(1, 'failed'), id: 'whd_2' }])).toBe(true);
});

it('looks less often at what takes long', () => {
  expect([0, 39, 40, 4000].map(nextLookMs)).toEqual([1500, 1500, 15_000, 15_000]);
});
