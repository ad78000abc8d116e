import { BY_DAY, BY_HOUR } from '@ocr-router/ui/charts/step.ts';
import { expect, it } from 'vitest';
import { chargeLines, comparedEngines, compareLines } from './compare-lines.ts';

const NOW = Date.parse('2026-11-21T10:25:00Z');
const DAY = { step: BY_HOUR, rangeHours: 24, hours: 24 };
const ENGINES = [engine('quiet', 0), engine('busy', 90), engine('some', 3)];

it('compares the busiest, or those that are named', () => {
  const ids = (named: string | null) => comparedEngines(ENGINES, named, { most: 2, usual: 2 }).map(({ id }) => id);
  expect(ids(null)).toEqual(['busy', 'some']);
  expect(ids('quiet,gone,busy')).toEqual(['quiet']);
  expect(ids('some,some,quiet')).toEqual(['some', 'quiet']);
});

it('has a value for each hour of each engine, and gaps where nothing was measured', () => {
  const values = (measure: 'p95' | 'errors' | 'runs') =>
    compareLines([engine('busy', 90)], { measure, ...DAY, hours: 3, zoom: null, nowMs: NOW }).lines[0]?.values;
  expect(values('p95')).toEqual([null, 900, null]);
  expect(values('errors')).toEqual([null, 0.25, null]);
  expect(values('runs')).toEqual([0, 4, 0]);
  const { atMs } = compareLines([], { measure: 'p95', ...DAY, hours: 2, zoom: null, nowMs: NOW });
  expect(atMs.map((at) => new Date(at).toISOString())).toEqual([
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T10:00:00.000Z',
  ]);
});

it('has the hours of the zoom alone', () => {
  const zoom = { fromMs: Date.parse('2026-11-21T08:00:00Z'), toMs: Date.parse('2026-11-21T10:00:00Z') };
  const { atMs, lines } = compareLines([engine('busy', 90)], { measure: 'p95', ...DAY, zoom, nowMs: NOW });
  expect(atMs).toEqual([zoom.fromMs, zoom.fromMs + 3_600_000]);
  expect(lines[0]?.values).toEqual([null, 900]);
});

it('has a value for each day of a month', () => {
  const dailyLatency = [{ date: '2026-11-20', p95Ms: 700, requestCount: 9, errorCount: 3 }];
  const month = { measure: 'p95', step: BY_DAY, rangeHours: 720, hours: 720, zoom: null, nowMs: NOW } as const;
  const { atMs, lines } = compareLines([{ ...engine('busy', 90), dailyLatency }], month);
  expect([atMs.length, atMs.at(-1)]).toEqual([30, Date.parse('2026-11-21')]);
  expect(lines[0]?.values.slice(-3)).toEqual([null, 700, null]);
});

it('has what was charged in each hour or day', () => {
  const engines = [engine('busy', 90), engine('quiet', 0)];
  const times = { ...DAY, hours: 2, zoom: null, nowMs: NOW };
  const hourlyCharges = [{ since: '2026-11-21T09:00:00.000Z', spent: 1.25 }];
  expect(chargeLines(engines, [{ id: 'busy', hourlyCharges }], times)).toEqual({
    atMs: [Date.parse('2026-11-21T09:00Z'), Date.parse('2026-11-21T10:00Z')],
    lines: [
      { name: 'busy', values: [1.25, 0] },
      { name: 'quiet', values: [null, null] },
    ],
  });
  const dailyCharges = [{ since: '2026-11-20T00:00:00.000Z', spent: 9 }];
  const month = { step: BY_DAY, rangeHours: 720, hours: 720, zoom: null, nowMs: NOW };
  expect(chargeLines(engines, [{ id: 'busy', hourlyCharges }], month).lines[0]?.values).not.toContain(1.25);
  const daily = chargeLines(engines, [{ id: 'busy', dailyCharges }], month).lines[0]?.values;
  expect([daily?.length, daily?.slice(-3)]).toEqual([30, [0, 9, 0]]);
});

function engine(id: string, requests: number) {
  const latency = [{ bucketHour: '2026-11-21T09:00:00.000Z', p95Ms: 900, requestCount: 4, errorCount: 1 }];
  return { id, name: id, window: { requests }, latency };
}
