import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { attempt, attemptsSettled, emptyAttempts, writeAttempt } from '../../../../test/house/attempt-table.ts';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { dailyLatency } from './daily-latency.ts';
import { RollUp } from './roll-up.job.ts';

const DAY_MS = 86_400_000;
const log = makeLog('silent');
let pool: Pool;
let rollUp: RollUp;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 8, log });
  rollUp = new RollUp(pool, log);
});
beforeEach(() => emptyAttempts(pool));
afterAll(() => pool.end());

async function rollAll(): Promise<void> {
  await attemptsSettled(pool);
  await rollUp.roll();
}

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

it.each(['before', 'after'])('cuts days at midnight, UTC, %s the roll-up', async (when) => {
  const midnight = today();
  for (const ms of [midnight, midnight - 1, midnight - DAY_MS, midnight - DAY_MS - 1]) {
    await writeAttempt(pool, attempt({ finishedAt: new Date(ms) }));
  }
  if (when === 'after') await rollAll();
  const [days = [], none] = await dailyLatency(pool, ['a', 'unused'], 2);
  expect(days.map(({ date, requestCount }) => [date, requestCount])).toEqual([
    [dateOf(midnight - DAY_MS), 2],
    [dateOf(midnight), 1],
  ]);
  expect(none).toEqual([]);
});

it('makes the percentiles of a day of all its requests, of whichever hour and whether they are rolled up', async () => {
  const midnight = today() - DAY_MS;
  // Most of them in one hour, the slow ones in another: no mean of the hours’ percentiles would be that of the day.
  const add = (count: number, latencyMs: number, hour: number, engine = 'a') =>
    Promise.all(
      Array.from({ length: count }, () =>
        writeAttempt(pool, attempt({ engine, latencyMs, finishedAt: new Date(midnight + hour * 3_600_000) })),
      ),
    );
  await add(60, 10, 3);
  await rollAll();
  await add(38, 20, 14);
  await add(1, 90, 15);
  await writeAttempt(pool, attempt({ outcome: 'failed', latencyMs: 90, finishedAt: new Date(midnight) }));
  await writeAttempt(pool, attempt({ outcome: 'unreadable', latencyMs: 9999, finishedAt: new Date(midnight) }));
  await add(5, 70, 3, 'b');
  await writeAttempt(pool, attempt({ engine: 'c', latencyMs: null, finishedAt: new Date(midnight) }));
  const date = dateOf(midnight);
  expect(await dailyLatency(pool, ['c', 'b', 'a'], 31)).toEqual([
    [{ date, requestCount: 1, errorCount: 0, p50Ms: null, p95Ms: null, p99Ms: null }],
    [{ date, requestCount: 5, errorCount: 0, p50Ms: 70, p95Ms: 70, p99Ms: 70 }],
    [{ date, requestCount: 100, errorCount: 1, p50Ms: 10, p95Ms: 20, p99Ms: 90 }],
  ]);
});
