import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attempt, attemptsSettled, emptyAttempts, writeAttempt } from '../../../../test/house/attempt-table.ts';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { latencyOfStep } from './latency-scale.ts';
import { RollUp } from './roll-up.job.ts';
import { Series } from './series.ts';

const HOUR_MS = 3_600_000;
const log = makeLog('silent');
let pool: Pool;
let rollUp: RollUp;
let series: Series;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 8, log });
  rollUp = new RollUp(pool, log);
  series = new Series(pool);
});
beforeEach(() => emptyAttempts(pool));
afterAll(() => pool.end());

async function rollAll(): Promise<void> {
  await attemptsSettled(pool);
  await rollUp.roll();
}

describe('series', () => {
  it('are empty where nothing happened', async () => {
    expect(await series.stats(null)).toEqual([]);
    expect(await series.latency('a', 720)).toEqual([]);
    expect(await series.uptime('a', 365)).toEqual([]);
    expect(await series.metrics('a')).toMatchObject({
      totalRequests: 0,
      windowSize: 0,
      successRate: null,
      p99LatencyMs: null,
    });
  });

  it('count the latest calls that were answered, back to one that failed', async () => {
    for (const outcome of ['failed', 'succeeded', 'failed', 'succeeded', 'succeeded'] as const) {
      await writeAttempt(pool, attempt({ outcome }));
    }
    expect(await series.metrics('a')).toMatchObject({ recentCalls: 5, recentFaults: 2, answeredInRow: 2 });
    await writeAttempt(pool, attempt({ outcome: 'failed' }));
    expect(await series.metrics('a')).toMatchObject({ recentFaults: 3, answeredInRow: 0 });
  });

  it('know a refusal of the credentials through calls that say nothing of them, until one is answered', async () => {
    const fails = async (fault: string | null, message: string) => {
      await writeAttempt(pool, attempt({ outcome: 'failed', pages: null }));
      await pool.query('update attempt set provider_fault = $1, message = $2 where message is null', [fault, message]);
    };
    await fails('credentials_refused', 'no such key');
    await fails(null, 'no answer in time');
    await fails('http_error', 'HTTP 500');
    const known = { providerFault: 'credentials_refused', faultMessage: 'no such key', lastMessage: 'HTTP 500' };
    expect(await series.metrics('a')).toMatchObject(known);
    await fails('no_credit', 'top up');
    expect(await series.metrics('a')).toMatchObject({ providerFault: 'no_credit', faultMessage: 'top up' });
    await writeAttempt(pool, attempt());
    await fails('http_error', 'HTTP 502');
    expect(await series.metrics('a')).toMatchObject({ providerFault: 'http_error', faultMessage: 'HTTP 502' });
  });

  it.each(['before', 'after'])('cut hours at the full hour, UTC, %s the roll-up', async (when) => {
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const rows = [hour - 1, hour, hour - HOUR_MS, hour - HOUR_MS - 1].map((ms) =>
      attempt({ finishedAt: new Date(ms) }),
    );
    for (const row of rows) await writeAttempt(pool, row);
    if (when === 'after') await rollAll();
    const shown = await series.latency('a', 2);
    expect(shown.map(({ bucketHour, requestCount }) => [bucketHour.getTime(), requestCount])).toEqual([
      [hour - HOUR_MS, 2],
      [hour, 1],
    ]);
    expect(await series.latency('a', 1)).toHaveLength(1);
  });

  it.each(['before', 'after'])('a job of many pages is told by its time per page, %s the roll-up', async (when) => {
    for (let n = 0; n < 9; n++) await writeAttempt(pool, attempt({ latencyMs: 500 }));
    await writeAttempt(pool, attempt({ latencyMs: 40 * 500, pages: 38 }));
    await pool.query('update attempt set pages_tried = case when provider_latency_ms > 500 then 40 else 1 end');
    if (when === 'after') await rollAll();
    const perPage = expect.closeTo(500, -1);
    expect(await series.latency('a', 1)).toMatchObject([{ p50Ms: perPage, p95Ms: perPage, p99Ms: perPage }]);
    expect(await series.stats('a')).toMatchObject([{ avgLatencyMs: 500 }]);
    expect(await series.metrics('a')).toMatchObject({ avgLatencyMs: 500, p95LatencyMs: 500, p99LatencyMs: 500 });
  });

  it('tells percentiles of the latest requests in tenths of a millisecond, as those of an hour', async () => {
    for (const latencyMs of [1, 4]) await writeAttempt(pool, attempt({ latencyMs }));
    expect(await series.metrics('a')).toMatchObject({ p50LatencyMs: 2.5, p95LatencyMs: 3.9, p99LatencyMs: 4 });
  });

  it('has no percentiles for an hour whose requests were not timed', async () => {
    await writeAttempt(pool, attempt({ latencyMs: null }));
    const untimed = { requestCount: 1, p50Ms: null, p95Ms: null, p99Ms: null };
    expect(await series.latency('a', 1)).toMatchObject([untimed]);
    await rollAll();
    expect(await series.latency('a', 1)).toMatchObject([untimed]);
  });

  it('keep the totals of requests that are older than any hour shown', async () => {
    await writeAttempt(pool, attempt({ finishedAt: new Date('2020-01-01T00:00:00Z') }));
    await rollAll();
    expect(await series.stats('a')).toMatchObject([{ totalRequests: 1, lastUsed: new Date('2020-01-01T00:00:00Z') }]);
    expect((await pool.query('select * from engine_hour')).rowCount).toBe(0);
  });

  it('show the middle of a step for a latency that is not told exactly', async () => {
    await writeAttempt(pool, attempt({ latencyMs: 12_345 }));
    const [{ p50Ms } = { p50Ms: null }] = await series.latency('a', 1);
    expect(Math.abs((p50Ms ?? 0) - 12_345)).toBeLessThanOrEqual(0.01 * 12_345);
    expect(latencyOfStep(99)).toBe(99);
  });
});

it('reads no more attempts than the window and what came since the roll-up, however many there are', async () => {
  const one = openPool(String(pool.options.connectionString), { max: 1, log }); // whose counters are then its own
  try {
    await pool.query(`insert into attempt (id, request_id, number, engine, finished_at, outcome, provider_latency_ms, billing)
      select 'many_' || n, 'ocr_1', 1, 'a', now() - n * interval '1 second', 'ok', n % 900, 'none' from generate_series(1, 20000) n`);
    await rollAll();
    await writeAttempt(pool, attempt());
    const before = await rowsRead(one);
    const readings = new Series(one);
    await readings.stats(null);
    await readings.stats('a');
    await readings.latency('a', 720);
    await readings.metrics('a');
    await readings.uptime('a', 365);
    expect((await rowsRead(one)) - before).toBeLessThan(250); // the window of 100, in the index and in the table
  } finally {
    await one.end();
  }
});

/** Attempts read by PostgreSQL so far, from the table or from an index. */
async function rowsRead(connection: Pool): Promise<number> {
  await connection.query('select pg_stat_force_next_flush()');
  await connection.query('select pg_stat_clear_snapshot()');
  const { rows } = await connection.query(
    `select sum(t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) + i.idx_tup_read)::int as read
     from pg_stat_user_tables t join pg_stat_user_indexes i using (relid) join pg_inherits p on p.inhrelid = i.indexrelid
     where p.inhparent = 'attempt_engine_index'::regclass`,
  );
  return rows[0].read;
}
