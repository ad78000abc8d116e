import { expect, it } from 'vitest';
import { jobProgress, progressWords, type RunningRequest } from './job-progress.ts';

const START = Date.parse('2026-11-23T10:00:00Z');
const RUNNING: RunningRequest = {
  status: 'processing',
  startedAt: new Date(START).toISOString(),
  finishedAt: null,
  starts: 1,
  understood: { pageRange: null, pageCount: 40 },
  job: { pagesDone: 5, pagesFailed: [{ page: 3 }], pagesTotal: 40 },
};

it('counts pages that are over, and how long the rest takes at their pace', () => {
  const progress = jobProgress(RUNNING, START + 60_000);
  expect(progress).toEqual({ done: 6, total: 40, leftMs: 340_000 });
  expect(progress && progressWords(progress)).toBe('6 of 40 pages, about 6 min left at this pace');
});

it.each<[string, Partial<RunningRequest>, number, string]>([
  ['too little was read', { job: { pagesDone: 2, pagesFailed: [], pagesTotal: 40 } }, 60_000, '2 of 40 pages'],
  ['it has only begun', {}, 4000, '6 of 40 pages'],
  ['a worker was lost, and its pages were kept', { starts: 2 }, 60_000, '6 of 40 pages'],
  ['it waits again', { status: 'queued' }, 60_000, '6 of 40 pages'],
  ['the pages of a range are wanted', { understood: { pageRange: '1-30' } }, 60_000, '6 pages so far'],
  ['its document is not open yet', { job: { pagesDone: 0, pagesFailed: [], pagesTotal: 0 } }, 9000, '0 pages so far'],
])('does not guess how long it takes where %s', (_why, change, afterMs, words) => {
  const progress = jobProgress({ ...RUNNING, ...change }, START + afterMs);
  expect(progress?.leftMs).toBeNull();
  expect(progress && progressWords(progress)).toBe(words);
});

it.each([
  [3000, '10 s'],
  [51_000, '1 min'],
  [61_000, '2 min'],
  [4_000_000, '2 h'],
])('says %i ms no more precisely than it is known: %s', (leftMs, words) => {
  expect(progressWords({ done: 1, total: 2, leftMs })).toBe(`1 of 2 pages, about ${words} left at this pace`);
});

it.each([
  [30, 40, 30],
  [50, 40, 40],
  [null, 40, 1],
])('knows that of page_count %s and %i pages in the document %i are read', (pageCount, pagesTotal, total) => {
  const job = { pagesDone: 0, pagesFailed: [], pagesTotal };
  expect(jobProgress({ ...RUNNING, understood: { pageRange: null, pageCount }, job }, START)?.total).toBe(total);
});

it('has nothing to say of a job that has ended, or of no job', () => {
  expect(jobProgress({ ...RUNNING, finishedAt: new Date(START + 1).toISOString() }, START)).toBeNull();
  expect(jobProgress({ ...RUNNING, job: null }, START)).toBeNull();
});
