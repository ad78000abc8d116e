import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { Leases } from '../../src/requests/store/leases.ts';

const ID = `ocr_${'0'.repeat(26)}`;
const log = makeLog('silent');

let pool: Pool;
let hot: Pool;

beforeAll(async () => {
  const url = await createDatabase();
  pool = openPool(url, { max: 1, log, kind: 'admin' });
  hot = openPool(url, { max: 2, log });
});
afterAll(async () => {
  await hot.end();
  await pool.end();
});

it('keeps when the first run of a request began, where one is handed back and another one takes it', async () => {
  await queue();
  const leases = new Leases(hot, { owner: 'worker', leaseMs: 60_000 });
  const run = async () => {
    const { claimed } = await leases.claim({ id: 'reader' }, 1);
    expect(claimed).toHaveLength(1);
    return starts();
  };
  const first = await run();
  expect(first).toEqual({ first: null, latest: expect.any(String) });
  for (let fence = 1; fence <= 2; fence++) {
    const { rows } = await pool.query<{ fence: number }>('select fence::int as fence from ocr_request');
    await leases.handBack({ id: ID, fence: rows[0]?.fence ?? 0 });
    const next = await run();
    expect(next.first).toBe(first.latest);
    expect(next.latest > first.latest).toBe(true);
  }
});

/** As PostgreSQL writes them: to the microsecond, and in the order of their letters. */
async function starts(): Promise<{ first: string | null; latest: string }> {
  const { rows } = await pool.query(
    `select to_jsonb(r) ->> 'first_started_at' as first, to_jsonb(r) ->> 'started_at' as latest from ocr_request r`,
  );
  return rows[0];
}

async function queue(): Promise<void> {
  await pool.query('alter table ocr_request disable trigger all');
  await pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold)
     values ($1, '00000000-0000-4000-8000-000000000001', 'reader', 'reader', 'async', '{}', 'queued', 'processing', 0)`,
    [ID],
  );
  await pool.query('alter table ocr_request enable trigger all');
  await pool.query(
    `insert into queued_request (request_id, engine, account_id, level, seq)
     select id, requested_engine, account_id, 1, (extract(epoch from now()) * 1e6)::bigint from ocr_request`,
  );
}
