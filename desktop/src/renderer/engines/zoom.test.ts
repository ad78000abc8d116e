import { BY_DAY, BY_HOUR } from '@ocr-router/ui/charts/step.ts';
import { expect, it } from 'vitest';
import { hoursToAsk, readZoom, slotsShown, stepOf, wholeSteps, writeZoom } from './zoom.ts';

const NOW = Date.parse('2026-11-21T10:25:00Z');
const ZOOM = { fromMs: Date.parse('2026-11-20T08:00:00Z'), toMs: Date.parse('2026-11-20T11:00:00Z') };

it('reads from the address what it wrote there, and nothing else', () => {
  expect(readZoom(writeZoom(ZOOM))).toEqual(ZOOM);
  expect([null, '', 'a~b', '2026-11-20T11:00:00Z~2026-11-20T08:00:00Z'].map(readZoom)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it('takes the hours that were touched, two at least', () => {
  const part = (from: string, to: string) => {
    const { fromMs, toMs } = wholeSteps({ fromMs: Date.parse(from), toMs: Date.parse(to) }, BY_HOUR);
    return [new Date(fromMs).toISOString().slice(11, 16), new Date(toMs).toISOString().slice(11, 16)];
  };
  expect(part('2026-11-20T08:20:00Z', '2026-11-20T10:10:00Z')).toEqual(['08:00', '11:00']);
  expect(part('2026-11-20T08:20:00Z', '2026-11-20T08:30:00Z')).toEqual(['08:00', '10:00']);
});

it('takes the days whose columns were touched, which stand around their beginnings', () => {
  const part = (from: string, to: string) => {
    const { fromMs, toMs } = wholeSteps({ fromMs: Date.parse(from), toMs: Date.parse(to) }, BY_DAY);
    return [new Date(fromMs).toISOString().slice(0, 16), new Date(toMs).toISOString().slice(0, 16)];
  };
  expect(part('2026-11-19T14:00:00Z', '2026-11-20T09:00:00Z')).toEqual(['2026-11-20T00:00', '2026-11-21T00:00']);
  expect(part('2026-11-17T23:00:00Z', '2026-11-20T01:00:00Z')).toEqual(['2026-11-18T00:00', '2026-11-21T00:00']);
});

it('shows days beyond a week, of the range as of the zoom', () => {
  const days = (many: number) => ({ fromMs: 0, toMs: many * 86_400_000 });
  expect([stepOf(168, null), stepOf(720, null), stepOf(720, days(7)), stepOf(1, days(8))]).toEqual([
    BY_HOUR,
    BY_DAY,
    BY_HOUR,
    BY_DAY,
  ]);
});

it('asks as far back as the zoom goes, whatever the range', () => {
  expect([hoursToAsk(1, null, NOW), hoursToAsk(168, null, NOW)]).toEqual([24, 168]);
  expect(hoursToAsk(1, ZOOM, NOW)).toBe(28);
  expect(hoursToAsk(1, { ...ZOOM, fromMs: 0 }, NOW)).toBe(720);
});

it('shows the hours of the zoom, else those of the range', () => {
  const shown = { step: BY_HOUR, rangeHours: 24, hours: hoursToAsk(24, ZOOM, NOW), nowMs: NOW };
  expect(slotsShown({}, { ...shown, zoom: ZOOM }).map(({ atMs }) => new Date(atMs).toISOString().slice(8, 16))).toEqual(
    ['20T08:00', '20T09:00', '20T10:00'],
  );
  expect(slotsShown({}, { ...shown, zoom: null })).toHaveLength(24);
});

it('shows thirty UTC days, or those of the zoom', () => {
  const day = { date: '2026-11-20', p95Ms: 9, requestCount: 3, errorCount: 0 };
  const shown = { step: BY_DAY, rangeHours: 720, hours: 720, nowMs: NOW };
  const all = slotsShown({ daily: [day] }, { ...shown, zoom: null });
  expect([all.length, all.at(-2)?.bucket]).toEqual([30, day]);
  const zoom = { fromMs: Date.parse('2026-11-10'), toMs: Date.parse('2026-11-19') };
  expect(slotsShown({ daily: [day] }, { ...shown, zoom })).toHaveLength(9);
});
