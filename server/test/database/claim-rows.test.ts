import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { Leases } from '../../src/requests/store/leases.ts';

const REQUESTS = 6000;
const ACCOUNTS = 3000;
const CLAIMS = 12;
/** 48 candidates of each of two levels, looked at more than once, and their requests. */
const MOST_ROWS = REQUESTS / 10;
const log = makeLog('silent');

let pool: Pool;
let url: string;

beforeAll(async () => {
  url = await createDatabase();
  pool = openPool(url, { max: 1, log, kind: 'admin' });
});
afterAll(() => pool.end());

it('a claim reads as few rows of a long queue of many accounts as its candidates are', async () => {
  const hot = openPool(url, { max: 1, log });
  try {
    const leases = new Leases(hot, { owner: 'claimer', leaseMs: 60_000 });
    await leases.claim({ id: 'reader' }, 1); // planned while there is nothing, as in a process that starts with an empty queue
    await fillQueue();
    for (let n = 0; n < CLAIMS; n++) {
      const before = await rowsRead(hot);
      const { claimed, isMore } = await leases.claim({ id: 'reader' }, 1);
      expect([claimed.length, isMore]).toEqual([1, true]);
      expect((await rowsRead(hot)) - before).toBeLessThan(MOST_ROWS);
    }
  } finally {
    await hot.end();
  }
});

async function fillQueue(): Promise<void> {
  await pool.query('alter table ocr_request disable trigger all');
  await pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold)
     select 'ocr_' || lpad(n::text, 26, '0'), ('00000000-0000-4000-8000-' || lpad(to_hex(n % $2::int), 12, '0'))::uuid,
       'reader', 'reader', 'async', '{}', 'queued', 'processing', 0
     from generate_series(0, $1::int - 1) n`,
    [REQUESTS, ACCOUNTS],
  );
  await pool.query('alter table ocr_request enable trigger all');
  await pool.query(
    `insert into queued_request (request_id, engine, account_id, level, seq)
     select id, requested_engine, account_id, row_number() over (partition by account_id order by id),
       (extract(epoch from now()) * 1e6)::bigint + row_number() over (order by id)
     from ocr_request`,
  );
  await pool.query('vacuum analyze');
}

/** Rows of the queue and of the requests that PostgreSQL has read so far, from the tables or from an index. */
async function rowsRead(connection: Pool): Promise<number> {
  await connection.query('select pg_stat_force_next_flush()');
  await connection.query('select pg_stat_clear_snapshot()');
  const { rows } = await connection.query(
    `select sum(t.seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as read
     from pg_stat_user_tables t where t.relname in ('ocr_request', 'queued_request')`,
  );
  return rows[0].read;
}
