import { expect } from 'vitest';
import type { Series } from '../../server/src/monitoring/series/series.ts';
import type { AttemptRow } from './attempt-table.ts';

const HOUR_MS = 3_600_000;

/** Of what was cancelled, the pages that were read by then count. */
function counts({ outcome, pages }: AttemptRow): boolean {
  if (outcome === 'cancelled') return (pages ?? 0) > 0;
  return outcome !== null && outcome !== 'unreadable' && outcome !== 'lost';
}

/** In milliseconds; calls that were stopped say nothing of the engine. */
function timesOf(rows: readonly AttemptRow[]): number[] {
  return rows.flatMap(({ outcome, latencyMs }) => (outcome === 'cancelled' ? [] : (latencyMs ?? [])));
}

function isFault({ outcome }: AttemptRow): boolean {
  return outcome === 'failed' || outcome === 'timeout';
}

/** What the series must say, counted row by row. */
function statsOf(rows: readonly AttemptRow[], engineId: string) {
  const counted = rows.filter((row) => row.engine === engineId && counts(row));
  const timed = timesOf(counted);
  return {
    engineId,
    totalRequests: counted.length,
    totalPages: counted.reduce((sum, { pages }) => sum + (pages ?? 0), 0),
    avgLatencyMs: expect.closeTo(timed.reduce((sum, ms) => sum + ms, 0) / timed.length, 0),
    errorRate: expect.closeTo(counted.filter(isFault).length / counted.length, 3),
    lastUsed: new Date(Math.max(...counted.map(({ finishedAt }) => finishedAt.getTime()))),
  };
}

function hoursOf(rows: readonly AttemptRow[], engineId: string) {
  const hours = new Map<number, AttemptRow[]>();
  for (const row of rows.filter((each) => each.engine === engineId && counts(each))) {
    const hour = Math.floor(row.finishedAt.getTime() / HOUR_MS) * HOUR_MS;
    hours.set(hour, [...(hours.get(hour) ?? []), row]);
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, members]) => ({
      bucketHour: new Date(hour),
      requestCount: members.length,
      errorCount: members.filter(isFault).length,
      p50: between(members, 0.5),
      p99: between(members, 0.99),
    }));
}

function between(members: readonly AttemptRow[], share: number): number | null {
  const sorted = timesOf(members).sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (rank % 1);
}

/** The series say of these attempts what counting them one by one says. */
export async function expectExact(series: Series, rows: readonly AttemptRow[]): Promise<void> {
  const engines = [...new Set(rows.filter(counts).map(({ engine }) => engine))].sort();
  expect(await series.stats(null)).toEqual(engines.map((engine) => statsOf(rows, engine)));
  for (const engine of engines) {
    expect(await series.stats(engine)).toEqual([statsOf(rows, engine)]);
    expect((await series.metrics(engine)).totalRequests).toBe(
      rows.filter((row) => row.engine === engine && counts(row)).length,
    );
    const shown = await series.latency(engine, 720);
    const expected = hoursOf(rows, engine);
    expect(shown.map(({ bucketHour, requestCount, errorCount }) => ({ bucketHour, requestCount, errorCount }))).toEqual(
      expected.map(({ bucketHour, requestCount, errorCount }) => ({ bucketHour, requestCount, errorCount })),
    );
    for (const [index, { p50, p99 }] of expected.entries()) {
      expectClose(shown[index]?.p50Ms, p50);
      expectClose(shown[index]?.p99Ms, p99);
    }
  }
}

/** Within 1 %, and the rounding to a tenth of a millisecond. */
function expectClose(shown: number | null | undefined, exact: number | null): void {
  if (exact === null) expect(shown).toBeNull();
  else expect(Math.abs((shown ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.01 * exact + 0.06);
}
