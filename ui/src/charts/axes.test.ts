import { expect, it } from 'vitest';
import { dayLook, everyDay, failedHeight, worstDay } from './days.ts';
import { everyHour, everyLatencyDay, sumDays, sumHours } from './hours.ts';

const NOW = Date.parse('2026-11-21T10:25:00Z');

it('keeps the hours without requests as gaps, and ends with the present hour', () => {
  const bucket = { bucketHour: '2026-11-21T08:00:00.000Z', p95Ms: 900, requestCount: 3, errorCount: 0 };
  const slots = everyHour([bucket], 4, NOW);
  expect(slots.map(({ bucket: hour }) => hour?.p95Ms ?? null)).toEqual([null, 900, null, null]);
  expect(new Date(slots.at(-1)?.atMs ?? 0).toISOString()).toBe('2026-11-21T10:00:00.000Z');
});

it('has every day of the strip, today included', () => {
  const today = { date: '2026-11-21', uptimePct: 99.95, checksTotal: 60, checksHealthy: 60 };
  const slots = everyDay([today], 3, NOW);
  expect(slots.map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
  expect(slots.map(({ day }) => dayLook(day))).toEqual(['none', 'none', 'good']);
});

it('tells good, fair and poor days by their share', () => {
  const look = (uptimePct: number) =>
    dayLook({ date: '2026-11-21', uptimePct, checksTotal: 1000, checksHealthy: uptimePct * 10 });
  expect([100, 99.9, 99.89, 99, 98.99, 0].map(look)).toEqual(['good', 'good', 'fair', 'fair', 'poor', 'poor']);
});

it('draws more of a day’s bar as failed, the more of the day failed', () => {
  expect([98.96, 90, 80, 0].map((uptimePct) => failedHeight({ uptimePct }))).toEqual([29, 63, 100, 100]);
});

it('never draws less of a worse day’s bar as failed, whichever its look', () => {
  expect([100, 99.95, 99.9].map((uptimePct) => failedHeight({ uptimePct }))).toEqual([0, 0, 0]);
  const heights = [99.89, 99.5, 99, 98.99, 95, 50].map((uptimePct) => failedHeight({ uptimePct }));
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  expect(new Set(heights).size).toBe(heights.length);
});

it('adds up the hours of several engines', () => {
  const hour = (bucketHour: string, requestCount: number, errorCount: number) => ({
    bucketHour,
    requestCount,
    errorCount,
  });
  const sum = sumHours([
    [hour('2026-11-21T08:00:00.000Z', 3, 1), hour('2026-11-21T09:00:00.000Z', 2, 0)],
    [hour('2026-11-21T09:00:00.000Z', 5, 5)],
  ]);
  expect(sum.map(({ requestCount, errorCount }) => [requestCount, errorCount])).toEqual([
    [3, 1],
    [7, 5],
  ]);
});

it('has every UTC day, and adds up those of several engines', () => {
  const day = (date: string, requestCount: number, errorCount: number) => ({ date, requestCount, errorCount });
  const days = sumDays([[day('2026-11-20', 3, 1)], [day('2026-11-20', 4, 0), day('2026-11-21', 1, 1)]]);
  const slots = everyLatencyDay(days, 3, NOW);
  expect(slots.map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
    '2026-11-19T00:00:00.000Z',
    '2026-11-20T00:00:00.000Z',
    '2026-11-21T00:00:00.000Z',
  ]);
  expect(slots.map(({ bucket }) => bucket && [bucket.requestCount, bucket.errorCount])).toEqual([null, [7, 1], [1, 1]]);
});

it('names the worst day, and none where all were well', () => {
  const day = (date: string, uptimePct: number) => ({ date, uptimePct, checksTotal: 100, checksHealthy: uptimePct });
  const days = [day('2026-11-18', 90), day('2026-11-19', 72), day('2026-11-20', 72), day('2026-11-21', 100)];
  expect(worstDay(everyDay(days, 5, NOW))?.date).toBe('2026-11-20');
  expect(worstDay(everyDay(days.slice(3), 5, NOW))).toBeNull();
});
