import { expect, it } from 'vitest';
import { timelineOf } from './timeline.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

it('tells what happened in order, at one instant by the order of a request’s life', () => {
  const request = {
    ...{ createdAt: at(0), startedAt: at(0), finishedAt: at(5), status: 'succeeded' as const },
    ...{ hold: 1_000_000n, documentMs: 1000, renderMs: 2000, pagesTotal: 1 },
  };
  const attempts = [{ engine: 'reader', outcome: 'ok' as const, finishedAt: at(5) }];
  const delivery = { status: 'failed' as const, responseCode: 500, error: null };
  const deliveries = [
    { ...delivery, attempt: 1, createdAt: at(6) },
    { ...delivery, attempt: 2, createdAt: at(8), status: 'delivered' as const, responseCode: 200 },
    { ...delivery, attempt: 0, createdAt: at(5), status: 'pending' as const, responseCode: null },
  ];
  expect(timelineOf(request, attempts, deliveries).map(({ kind, detail }) => [kind, detail])).toEqual([
    ['accepted', null],
    ['held', '0.001 USD'],
    ['started', null],
    ['document', '1000 ms'],
    ['rendered', '2000 ms'],
    ['attempt', 'reader: ok'],
    ['settled', 'succeeded'],
    ['delivery_failed', 'HTTP 500'],
    ['delivered', 'HTTP 200'],
  ]);
});

it('has one entry for a request that waits', () => {
  const open = { startedAt: null, finishedAt: null, documentMs: null, renderMs: null, pagesTotal: null };
  const request = { createdAt: at(0), status: 'queued' as const, hold: 0n, ...open };
  expect(timelineOf(request, [], [])).toEqual([{ at: at(0), kind: 'accepted', detail: null }]);
});

it('tells of nothing after the end, whatever was measured', () => {
  const request = {
    ...{ createdAt: at(0), startedAt: at(1), finishedAt: at(2), status: 'failed' as const },
    ...{ hold: 0n, documentMs: null, renderMs: 90_000, pagesTotal: 1 },
  };
  expect(timelineOf(request, [], []).map(({ kind, at: time }) => [kind, time])).toEqual([
    ['accepted', at(0)],
    ['started', at(1)],
    ['rendered', at(2)],
    ['settled', at(2)],
  ]);
});

it('does not tell when pictures of several pages were made: their times are added up', () => {
  const request = {
    ...{ createdAt: at(0), startedAt: at(0), finishedAt: at(5), status: 'succeeded' as const },
    ...{ hold: 0n, documentMs: null, renderMs: 16_919, pagesTotal: 4 },
  };
  expect(timelineOf(request, [], []).map(({ kind }) => kind)).toEqual(['accepted', 'started', 'settled']);
});
