import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AttemptRow,
  attempt,
  attemptsSettled,
  emptyAttempts,
  randomAttempt,
  writeAttempt,
} from '../../../../test/house/attempt-table.ts';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { expectExact } from '../../../../test/house/expect-series.ts';
import { SeededRandom } from '../../../../test/house/seeded-random.ts';
import { until } from '../../../../test/house/until.ts';
import { openPool, type Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { RollUp } from './roll-up.job.ts';
import { Series } from './series.ts';

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

describe('roll-ups', () => {
  it.each([1, 2, 3])('and what came after them count every attempt once, whenever they run (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const rows: AttemptRow[] = [];
    for (let step = 0; step < 60; step++) {
      const row = randomAttempt(random);
      await writeAttempt(pool, row);
      rows.push(row);
      if (random.below(6) === 0) await rollUp.roll();
      if (random.below(12) === 0) await expectExact(series, rows);
    }
    await attemptsSettled(pool);
    await rollUp.roll();
    await expectExact(series, rows);
  });

  it('that run at once, while attempts are written, count every attempt once', async () => {
    const random = new SeededRandom(4);
    const rows = Array.from({ length: 300 }, () => randomAttempt(random));
    const writing = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (const row of rows.filter((_, index) => index % 3 === writer)) await writeAttempt(pool, row);
      }),
    );
    let busy = true;
    void writing.then(() => {
      busy = false;
    });
    while (busy) await Promise.all([rollUp.roll(), rollUp.roll(), new RollUp(pool, log).roll()]);
    await writing;
    await attemptsSettled(pool);
    await rollUp.roll();
    await expectExact(series, rows);
  });

  it('do not lose an attempt whose transaction began before the roll-up and commits after it', async () => {
    const late = attempt({ latencyMs: 10 });
    const early = attempt({ latencyMs: 20 });
    const client = await pool.connect();
    await client.query('begin');
    await writeAttempt(client, late);
    await writeAttempt(pool, early);
    await rollUp.roll();
    await expectExact(series, [early]);
    await client.query('commit');
    client.release();
    await expectExact(series, [early, late]);
    await attemptsSettled(pool);
    await rollUp.roll();
    await expectExact(series, [early, late]);
  });

  it('are never seen half done: what is read while they run is neither lost nor counted twice', async () => {
    let [begun, ended] = [0, 0];
    const writing = (async () => {
      while (begun < 200) {
        begun++;
        await writeAttempt(pool, attempt());
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
    for (const row of rows) await writeAttempt(pool, row);
    await attemptsSettled(pool);
    const obstacle = await pool.connect();
    await obstacle.query('begin; lock table engine_hour_latency in share mode');
    const dying = rollUp.roll().catch((error: Error) => error);
    const waiting = `select pid from pg_locks where not granted and relation = 'engine_hour_latency'::regclass`;
    const pid = await until('the roll-up is under way', async () => (await pool.query(waiting)).rows[0]?.pid);
    expect(await new RollUp(pool, log).roll()).toBe(0); // the other one is about it
    await expectExact(series, rows);
    await pool.query('select pg_terminate_backend($1)', [pid]);
    expect(await dying).toBeInstanceOf(Error);
    await obstacle.query('rollback');
    obstacle.release();
    await expectExact(series, rows);
    await attemptsSettled(pool);
    expect(await new RollUp(pool, log).roll()).toBe(3);
    await expectExact(series, rows);
  });

  it('that break off leave nothing half done', async () => {
    const rows = [attempt(), attempt({ outcome: 'failed' })];
    for (const row of rows) await writeAttempt(pool, row);
    await attemptsSettled(pool);
    await pool.query(`alter table roll_up_mark add constraint broken check (recorded_before = '0') not valid`);
    await expect(rollUp.roll()).rejects.toThrow('broken');
    await expectExact(series, rows);
    expect((await pool.query('select * from engine_total')).rowCount).toBe(0);
    await pool.query('alter table roll_up_mark drop constraint broken');
    expect(await rollUp.roll()).toBe(2);
    await expectExact(series, rows);
  });

  it('do not count an attempt again whose bill came late', async () => {
    const row = attempt();
    await writeAttempt(pool, row);
    await attemptsSettled(pool);
    expect(await rollUp.roll()).toBe(1);
    await pool.query(`update attempt set billing = 'verified', cost = 5`);
    expect(await rollUp.roll()).toBe(0);
    await expectExact(series, [row]);
  });

  it('take over a dump from a cluster whose transaction numbers were higher', async () => {
    const rows = [attempt(), attempt({ engine: 'b' })];
    await writeAttempt(pool, rows[0] as AttemptRow);
    await attemptsSettled(pool);
    expect(await rollUp.roll()).toBe(1);
    await writeAttempt(pool, rows[1] as AttemptRow);
    await pool.query(
      `update attempt set recorded_xid = (case engine when 'a' then '900000000' else '900000009' end)::xid8`,
    );
    const { rows: marks } = await pool.query(`update roll_up_mark set recorded_before = '900000005' returning 1`);
    expect(marks).toHaveLength(1);
    await new RollUp(pool, log).adopt();
    const added = attempt({ engine: 'b', latencyMs: 70 });
    await writeAttempt(pool, added);
    await expectExact(series, [...rows, added]);
    await attemptsSettled(pool);
    await rollUp.roll();
    await expectExact(series, [...rows, added]);
  });
});
