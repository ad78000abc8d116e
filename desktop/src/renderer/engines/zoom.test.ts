import { everyHour } from '@ocr-router/ui/charts/hours.ts';
import { expect, it } from 'vitest';
import { hoursToAsk, readZoom, slotsShown, wholeHours, writeZoom } from './zoom.ts';

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
    const { fromMs, toMs } = wholeHours({ fromMs: Date.parse(from), toMs: Date.parse(to) });
    return [new Date(fromMs).toISOString().slice(11, 16), new Date(toMs).toISOString().slice(11, 16)];
  };
  expect(part('2026-11-20T08:20:00Z', '2026-11-20T10:10:00Z')).toEqual(['08:00', '11:00']);
  expect(part('2026-11-20T08:20:00Z', '2026-11-20T08:30:00Z')).toEqual(['08:00', '10:00']);
});

it('asks as far back as the zoom goes, whatever the range', () => {
  expect([hoursToAsk(1, null, NOW), hoursToAsk(168, null, NOW)]).toEqual([24, 168]);
  expect(hoursToAsk(1, ZOOM, NOW)).toBe(28);
  expect(hoursToAsk(1, { ...ZOOM, fromMs: 0 }, NOW)).toBe(720);
});

it('shows the hours of the zoom, else those of the range', () => {
  const slots = everyHour([], hoursToAsk(24, ZOOM, NOW), NOW);
  expect(slotsShown(slots, 24, ZOOM).map(({ atMs }) => new Date(atMs).toISOString().slice(8, 16))).toEqual([
    '20T08:00',
    '20T09:00',
    '20T10:00',
  ]);
  expect(slotsShown(slots, 24, null)).toHaveLength(24);
});
