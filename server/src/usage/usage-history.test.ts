import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { ReportsReady } from '../database/reports-ready.ts';
import { makeLog } from '../platform/logging/log.ts';
import { ReportRollUp } from './report-roll-up.job.ts';
import { UsageHistory } from './usage-history.ts';
import { usageHistoryOfRows } from './usage-history-rows.ts';
import { usagePeriod } from './usage-period.ts';

const FEW = { accountId: '00000000-0000-4000-8000-000000000001', requests: 1000 };
const MANY = { accountId: '00000000-0000-4000-8000-000000000002', requests: 60_000 };
const log = makeLog('silent');
/** A time as the first ten characters of an id. */
const TIME_DIGITS = `(select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  (((extract(epoch from at) * 1000)::bigint >> (45 - 5 * i)) & 31)::int + 1, 1), '' order by i) from generate_series(0, 9) i)`;

let pool: Pool;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 2, log, kind: 'admin' });
  await pool.query('alter table ocr_request disable trigger all');
  for (const { accountId, requests } of [FEW, MANY]) {
    await pool.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
         created_at, finished_at)
       select 'ocr_' || ${TIME_DIGITS} || lpad(n::text, 16, '0'), $1, 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded',
         10, 10, 1, at, at
       from (select n, now() - (29.9 * ($2::int - n) / $2::int) * interval '1 day' as at from generate_series(1, $2::int) n) one`,
      [accountId, requests],
    );
  }
  await pool.query('alter table ocr_request enable trigger all');
  await pool.query('vacuum analyze');
  await pool.query('update usage_mark set complete = false');
  await new ReportRollUp(pool, log).roll();
});
afterAll(() => pool.end());

it.each([
  ['the first page of an account with few requests', FEW, 1],
  ['the last page of an account with few requests', FEW, 20],
  ['the first page of an account with many requests', MANY, 1],
  ['a page in the middle of an account with many requests', MANY, 600],
  ['the last page of an account with many requests', MANY, 1200],
])('reads few rows for %s', async (_, { accountId, requests }, page) => {
  const one = openPool(String(pool.options.connectionString), { max: 1, log, kind: 'reports' });
  try {
    const period = usagePeriod(null, null, new Date());
    const wanted = { accountId, period, engine: null, page, perPage: 50 };
    const history = new UsageHistory(one, new ReportsReady(one));
    for (let again = 0; again < 8; again++) {
      // The first plans of a statement are made for its values, later ones for any.
      const before = await rowsRead(one);
      const { records, total } = await history.read(wanted);
      expect([records.length, total]).toEqual([50, BigInt(requests)]);
      expect((await rowsRead(one)) - before).toBeLessThan(1500);
    }
    expect(await history.read(wanted)).toEqual(await usageHistoryOfRows(pool, wanted));
  } finally {
    await one.end();
  }
});

/** Requests that PostgreSQL has read so far, from the table or from an index. */
async function rowsRead(connection: Pool): Promise<number> {
  await connection.query('select pg_stat_force_next_flush()');
  await connection.query('select pg_stat_clear_snapshot()');
  const { rows } = await connection.query(
    `select (t.seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as read
     from pg_stat_user_tables t where t.relname = 'ocr_request'`,
  );
  return rows[0].read;
}
