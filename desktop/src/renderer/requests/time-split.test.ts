import { expect, it } from 'vitest';
import { type Share, timeSplit, whySlow } from './time-split.ts';

const START = Date.parse('2026-11-21T10:00:00Z');

it('splits the whole time and nothing twice', () => {
  const split = timeSplit(
    {
      createdAt: at(0),
      startedAt: at(300),
      finishedAt: at(3000),
      documentMs: 200,
      renderMs: 400,
      attempts: [{ startedAt: at(550), finishedAt: at(2900), providerLatencyMs: 1900 }],
    },
    START,
  );
  expect(ofShares(split)).toEqual({ queue: 300, download: 200, raster: 400, provider: 1900, write: 200 });
  expect(split.worst).toBe('provider');
  expect(whySlow(split)).toBe('63 % of it was the engine.');
});

it('cuts pictures made side by side to the time that is left for them', () => {
  const split = timeSplit(
    {
      createdAt: at(0),
      startedAt: at(0),
      finishedAt: at(1000),
      documentMs: null,
      renderMs: 5000,
      attempts: [{ startedAt: at(0), finishedAt: at(950), providerLatencyMs: 900 }],
    },
    START,
  );
  expect(ofShares(split)).toEqual({ queue: 0, download: 0, raster: 100, provider: 900, write: 0 });
});

it('counts a request that waits still as waiting', () => {
  const split = timeSplit({ createdAt: at(0), attempts: [] }, START + 4000);
  expect(ofShares(split)).toEqual({ queue: 4000, download: 0, raster: 0, provider: 0, write: 0 });
  expect(whySlow(split)).toBe('100 % of it was waiting for a worker.');
});

it('takes the wall time of an attempt that runs or reported nothing', () => {
  const running = { createdAt: at(0), startedAt: at(0), attempts: [{ startedAt: at(100) }] };
  expect(ofShares(timeSplit(running, START + 2100)).provider).toBe(2000);
});

it('finds nothing to explain in a request that took no time', () => {
  const split = timeSplit({ createdAt: at(0), startedAt: at(0), finishedAt: at(0), attempts: [] }, START);
  expect(whySlow(split)).toBe('It took no measurable time.');
});

function at(ms: number): string {
  return new Date(START + ms).toISOString();
}

function ofShares({ shares }: ReturnType<typeof timeSplit>): Record<Share, number> {
  return Object.fromEntries(shares.map(({ share, ms }) => [share, ms])) as Record<Share, number>; // it lists them all
}
