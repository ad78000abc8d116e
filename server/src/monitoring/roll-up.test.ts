import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { SeededRandom } from '../../../test/house/seeded-random.ts';
import { until } from '../../../test/house/until.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { makeLog } from '../log.ts';
import { latencyOfStep } from './latency-scale.ts';
import { RollUp } from './roll-up.job.ts';
import { Series } from './series.ts';

const HOUR_MS = 3_600_000;
const OUTCOMES = ['ok', 'ok', 'ok', 'refused', 'empty', 'truncated', 'failed', 'timeout', 'unreadable', 'lost', null];

interface Row {
  readonly engine: string;
  readonly outcome: string | null;
  readonly latencyMs: number | null;
  readonly pages: number | null;
  readonly finishedAt: Date;
}

const log = makeLog('silent');
let pool: Pool;
let rollUp: RollUp;
let series: Series;
let written = 0;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 8, log });
  rollUp = new RollUp(pool, log);
  series = new Series(pool);
});
beforeEach(() => empty());
afterAll(() => pool.end());

async function empty(): Promise<void> {
  for (const table of ['attempt', 'engine_total', 'engine_hour', 'engine_hour_latency', 'engine_check', 'engine_day']) {
    await pool.query(`delete from ${table}`);
  }
}

async function write(row: Row, client: Pick<Pool, 'query'> = pool): Promise<void> {
  await client.query(
    `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, provider_latency_ms, pages, billing)
     values ($1, 'ocr_1', 1, $2, $3, $3, $4, $5, $6, 'none')`,
    [`att_${written++}`, row.engine, row.finishedAt, row.outcome, row.latencyMs, row.pages],
  );
}

function attempt(more: Partial<Row> = {}): Row {
  return { engine: 'a', outcome: 'ok', latencyMs: 40, pages: 1, finishedAt: new Date(), ...more };
}

function randomRow(random: SeededRandom): Row {
  const outcome = random.pick(OUTCOMES);
  return {
    engine: random.pick(['a', 'b', 'c']),
    outcome,
    latencyMs: random.below(8) === 0 ? null : random.below(random.pick([90, 3000, 200_000])),
    pages: random.below(5) === 0 ? null : random.below(9),
    finishedAt: new Date(Date.now() - random.below(50 * HOUR_MS)),
  };
}

function counts({ outcome }: Row): boolean {
  return outcome !== null && outcome !== 'unreadable' && outcome !== 'lost';
}

function isFault({ outcome }: Row): boolean {
  return outcome === 'failed' || outcome === 'timeout';
}

/** What the series must say, counted row by row. */
function statsOf(rows: readonly Row[], engineId: string) {
  const counted = rows.filter((row) => row.engine === engineId && counts(row));
  const timed = counted.flatMap(({ latencyMs }) => latencyMs ?? []);
  return {
    engineId,
    totalRequests: counted.length,
    totalPages: counted.reduce((sum, { pages }) => sum + (pages ?? 0), 0),
    avgLatencyMs: expect.closeTo(timed.reduce((sum, ms) => sum + ms, 0) / timed.length, 0),
    errorRate: expect.closeTo(counted.filter(isFault).length / counted.length, 3),
    lastUsed: new Date(Math.max(...counted.map(({ finishedAt }) => finishedAt.getTime()))),
  };
}

function hoursOf(rows: readonly Row[], engineId: string) {
  const hours = new Map<number, Row[]>();
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

function between(members: readonly Row[], share: number): number | null {
  const sorted = members.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (rank % 1);
}

async function expectExact(rows: readonly Row[]): Promise<void> {
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

describe('roll-ups', () => {
  it.each([1, 2, 3])('and what came after them count every attempt once, whenever they run (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const rows: Row[] = [];
    for (let step = 0; step < 60; step++) {
      const row = randomRow(random);
      await write(row);
      rows.push(row);
      if (random.below(6) === 0) await rollUp.roll();
      if (random.below(12) === 0) await expectExact(rows);
    }
    await rollUp.roll();
    await expectExact(rows);
  });

  it('that run at once, while attempts are written, count every attempt once', async () => {
    const random = new SeededRandom(4);
    const rows = Array.from({ length: 300 }, () => randomRow(random));
    const writing = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (const row of rows.filter((_, index) => index % 3 === writer)) await write(row);
      }),
    );
    let busy = true;
    void writing.then(() => {
      busy = false;
    });
    while (busy) await Promise.all([rollUp.roll(), rollUp.roll(), new RollUp(pool, log).roll()]);
    await writing;
    await rollUp.roll();
    await expectExact(rows);
  });

  it('do not lose an attempt whose transaction began before the roll-up and commits after it', async () => {
    const late = attempt({ latencyMs: 10 });
    const early = attempt({ latencyMs: 20 });
    const client = await pool.connect();
    await client.query('begin');
    await write(late, client);
    await write(early);
    await rollUp.roll();
    await expectExact([early]);
    await client.query('commit');
    client.release();
    await expectExact([early, late]);
    await rollUp.roll();
    await expectExact([early, late]);
  });

  it('are never seen half done: what is read while they run is neither lost nor counted twice', async () => {
    let [begun, ended] = [0, 0];
    const writing = (async () => {
      while (begun < 200) {
        begun++;
        await write(attempt());
        ended++;
      }
    })();
    while (ended < 200) {
      const atLeast = ended;
      const [[stats], latest, hours] = await Promise.all([
        series.stats('a'),
        series.metrics('a'),
        series.latency('a', 2),
        rollUp.roll(),
      ]);
      const ofHours = hours.reduce((sum, { requestCount }) => sum + requestCount, 0);
      for (const total of [stats?.totalRequests ?? 0, latest.totalRequests, ofHours]) {
        expect(total).toBeGreaterThanOrEqual(atLeast);
        expect(total).toBeLessThanOrEqual(begun);
      }
    }
    await writing;
  });

  it('whose process dies under way are made by another one', async () => {
    const rows = [attempt(), attempt({ outcome: 'timeout' }), attempt({ engine: 'b' })];
    for (const row of rows) await write(row);
    const obstacle = await pool.connect();
    await obstacle.query('begin; lock table engine_hour_latency in share mode');
    const dying = rollUp.roll().catch((error: Error) => error);
    const waiting = `select pid from pg_locks where not granted and relation = 'engine_hour_latency'::regclass`;
    const pid = await until('the roll-up is under way', async () => (await pool.query(waiting)).rows[0]?.pid);
    expect(await new RollUp(pool, log).roll()).toBe(0); // the other one is about it
    await expectExact(rows);
    await pool.query('select pg_terminate_backend($1)', [pid]);
    expect(await dying).toBeInstanceOf(Error);
    await obstacle.query('rollback');
    obstacle.release();
    await expectExact(rows);
    expect(await new RollUp(pool, log).roll()).toBe(3);
    await expectExact(rows);
  });

  it('that break off leave nothing half done', async () => {
    const rows = [attempt(), attempt({ outcome: 'failed' })];
    for (const row of rows) await write(row);
    await pool.query(`alter table roll_up_mark add constraint broken check (recorded_before = '0') not valid`);
    await expect(rollUp.roll()).rejects.toThrow('broken');
    await expectExact(rows);
    expect((await pool.query('select * from engine_total')).rowCount).toBe(0);
    await pool.query('alter table roll_up_mark drop constraint broken');
    expect(await rollUp.roll()).toBe(2);
    await expectExact(rows);
  });

  it('do not count an attempt again whose bill came late', async () => {
    const row = attempt();
    await write(row);
    await rollUp.roll();
    await pool.query(`update attempt set billing = 'verified', cost = 5`);
    expect(await rollUp.roll()).toBe(0);
    await expectExact([row]);
  });

  it('take over a dump from a cluster whose transaction numbers were higher', async () => {
    const rows = [attempt(), attempt({ engine: 'b' })];
    await write(rows[0] as Row);
    await rollUp.roll();
    await write(rows[1] as Row);
    await pool.query(
      `update attempt set recorded_xid = (case engine when 'a' then '900000000' else '900000009' end)::xid8`,
    );
    const { rows: marks } = await pool.query(`update roll_up_mark set recorded_before = '900000005' returning 1`);
    expect(marks).toHaveLength(1);
    await new RollUp(pool, log).adopt();
    const added = attempt({ engine: 'b', latencyMs: 70 });
    await write(added);
    await expectExact([...rows, added]);
    await rollUp.roll();
    await expectExact([...rows, added]);
  });
});

it('reads no more attempts than the window and what came since the roll-up, however many there are', async () => {
  const one = openPool(String(pool.options.connectionString), { max: 1, log }); // whose counters are then its own
  try {
    await pool.query(`insert into attempt (id, request_id, number, engine, finished_at, outcome, provider_latency_ms, billing)
      select 'many_' || n, 'ocr_1', 1, 'a', now() - n * interval '1 second', 'ok', n % 900, 'none' from generate_series(1, 20000) n`);
    await new RollUp(one, log).roll();
    await write(attempt());
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
    `select (t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) + i.idx_tup_read)::int as read
     from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
     where t.relname = 'attempt' and i.indexrelname = 'attempt_engine_index'`,
  );
  return rows[0].read;
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

  it.each(['before', 'after'])('cut hours at the full hour, UTC, %s the roll-up', async (when) => {
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const rows = [hour - 1, hour, hour - HOUR_MS, hour - HOUR_MS - 1].map((ms) =>
      attempt({ finishedAt: new Date(ms) }),
    );
    for (const row of rows) await write(row);
    if (when === 'after') await rollUp.roll();
    const shown = await series.latency('a', 2);
    expect(shown.map(({ bucketHour, requestCount }) => [bucketHour.getTime(), requestCount])).toEqual([
      [hour - HOUR_MS, 2],
      [hour, 1],
    ]);
    expect(await series.latency('a', 1)).toHaveLength(1);
  });

  it('has no percentiles for an hour whose requests were not timed', async () => {
    await write(attempt({ latencyMs: null }));
    const untimed = { requestCount: 1, p50Ms: null, p95Ms: null, p99Ms: null };
    expect(await series.latency('a', 1)).toMatchObject([untimed]);
    await rollUp.roll();
    expect(await series.latency('a', 1)).toMatchObject([untimed]);
  });

  it('keep the totals of requests that are older than any hour shown', async () => {
    await write(attempt({ finishedAt: new Date('2020-01-01T00:00:00Z') }));
    await rollUp.roll();
    expect(await series.stats('a')).toMatchObject([{ totalRequests: 1, lastUsed: new Date('2020-01-01T00:00:00Z') }]);
    expect((await pool.query('select * from engine_hour')).rowCount).toBe(0);
  });

  it('show the middle of a step for a latency that is not told exactly', async () => {
    await write(attempt({ latencyMs: 12_345 }));
    const [{ p50Ms } = { p50Ms: null }] = await series.latency('a', 1);
    expect(Math.abs((p50Ms ?? 0) - 12_345)).toBeLessThanOrEqual(0.01 * 12_345);
    expect(latencyOfStep(99)).toBe(99);
  });
});
