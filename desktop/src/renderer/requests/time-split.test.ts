import { expect, it } from 'vitest';
import { type Share, timeSplit, whySlow } from './time-split.ts';

const START = Date.parse('2026-11-21T10:00:00Z');

it('splits the whole time and nothing twice, by intervals', () => {
  const split = timeSplit(
    {
      ...{ createdAt: at(0), startedAt: at(300), finishedAt: at(3000), documentMs: 200 },
      wallTimes: { engineMs: 1900, renderMs: 400, placeMs: 50 },
    },
    START,
  );
  expect(ofShares(split)).toEqual({ queue: 300, download: 200, raster: 400, place: 50, provider: 1900, write: 150 });
  expect(split.worst).toBe('provider');
  expect(whySlow(split)).toBe('63 % of it was the engine.');
});

it('does not take the added up times of parallel pages for the time of the request', () => {
  const sums = { renderMs: 16_919, attempts: [{ startedAt: at(0), finishedAt: at(5700), providerLatencyMs: 4100 }] };
  const split = timeSplit(
    {
      ...{ createdAt: at(0), startedAt: at(0), finishedAt: at(5700), documentMs: null, ...sums },
      wallTimes: { engineMs: 1100, renderMs: 4500, placeMs: 0 },
    },
    START,
  );
  expect(ofShares(split)).toEqual({ queue: 0, download: 0, raster: 4500, place: 0, provider: 1100, write: 100 });
  expect(whySlow(split)).toBe('79 % of it was making pictures of its pages.');
});

it('says of a job that runs where its time went up to its last page, and that it reads since', () => {
  const running = { createdAt: at(0), startedAt: at(1000), documentMs: 500 };
  const split = timeSplit({ ...running, wallTimes: { engineMs: 3000, renderMs: 1000, placeMs: 500 } }, START + 8000);
  const soFar = { queue: 1000, download: 500, provider: 3000, raster: 1000, place: 500, work: 2000 };
  expect(ofShares(split)).toEqual(soFar);
  expect(whySlow(split)).toBe('38 % of it was the engine.');
});

it('says of a request that runs and has no page yet no more than that it reads', () => {
  const running = { createdAt: at(0), startedAt: at(100), attempts: [] };
  const split = timeSplit(running, START + 160_000);
  expect(ofShares(split)).toEqual({ queue: 100, download: 0, work: 159_900 });
  expect(whySlow(split)).toBe('100 % of it was reading its pages.');
});

it('takes an earlier run that was handed back or lost for no waiting in the queue', () => {
  const times = {
    createdAt: at(0),
    firstStartedAt: at(200),
    startedAt: at(6200),
    finishedAt: at(8000),
    documentMs: 100,
  };
  const split = timeSplit({ ...times, wallTimes: { engineMs: 1500, renderMs: 100, placeMs: 0 } }, START);
  const shares = { queue: 200, again: 6000, download: 100, provider: 1500, raster: 100, place: 0, write: 100 };
  expect(ofShares(split)).toEqual(shares);
  expect(whySlow(split)).toBe('75 % of it was an earlier run that came to nothing, with the wait for the next one.');
});

it('takes a second run that is under way for no waiting either', () => {
  const times = { createdAt: at(0), firstStartedAt: at(100), startedAt: at(3000) };
  expect(ofShares(timeSplit(times, START + 4000))).toEqual({ queue: 100, again: 2900, download: 0, work: 1000 });
});

it('knows of a request that waits again, after a run of it was lost, that it reads nothing now', () => {
  const times = { status: 'queued', createdAt: at(0), startedAt: at(100) };
  expect(ofShares(timeSplit(times, START + 4000))).toEqual({ queue: 100, again: 3900, download: 0, work: 0 });
});

it('counts a request that waits still as waiting, for what it really waits', () => {
  const split = timeSplit({ createdAt: at(0) }, START + 4000);
  expect(ofShares(split)).toEqual({ queue: 4000, download: 0, work: 0 });
  expect(whySlow(split)).toBe('100 % of it was waiting in the queue for a free place at its engine.');
});

it('finds nothing to explain in a request that took no time', () => {
  const split = timeSplit({ createdAt: at(0), startedAt: at(0), finishedAt: at(0) }, START);
  expect(whySlow(split)).toBe('It took no measurable time.');
});

function at(ms: number): string {
  return new Date(START + ms).toISOString();
}

function ofShares({ shares }: ReturnType<typeof timeSplit>): Partial<Record<Share, number>> {
  return Object.fromEntries(shares.map(({ share, ms }) => [share, ms]));
}
