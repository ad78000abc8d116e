import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillBooks } from '../../../test/house/books-table.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { until } from '../../../test/house/until.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { makeLog } from '../platform/logging/log.ts';
import { type Check, LedgerProof, PROOF_NAME, type ProofOptions } from './ledger-proof.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const log = makeLog('silent');
let pool: Pool;
let proof: LedgerProof;

beforeEach(async () => {
  const url = await createDatabase();
  pool = openPool(url, { max: 6, log, kind: 'admin' });
  proof = new LedgerProof(url);
  await fillBooks(pool, { accounts: 200, requests: 4000 });
});
afterEach(() => pool.end());

const violated = (checks: readonly Check[]) => checks.filter(({ ok }) => !ok).map(({ name }) => name);

/** Proven, so that only what comes later is read. */
async function proven(): Promise<void> {
  const open = 'select from ledger_transfer where recorded_xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await until('older transactions have ended', async () => (await pool.query(open)).rowCount === 0);
  expect(violated(await proof.check())).toEqual([]);
}

/** One more request that ends and is paid, in one transaction. */
async function pay(id: string, cost = 7): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages, finished_at)
       values ($1, $2, 'a', 'a', 'sync', '{}', 'succeeded', 'succeeded', 10, $3, 1, now())`,
      [id, ACCOUNT, cost],
    );
    await client.query(
      `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id) values ($2, 'charge', 'wallet', 'revenue', $3, $1)`,
      [id, ACCOUNT, cost],
    );
    await client.query(
      'update wallet set posted = posted - $2, spent = spent + $2, requests = requests + 1, pages = pages + 1 where account_id = $1',
      [ACCOUNT, cost],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Rows of requests and transfers that PostgreSQL has read so far. */
async function rowsRead(): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()'); // what this connection has read itself would be counted later
  await pool.query('select pg_stat_clear_snapshot()');
  const { rows } = await pool.query(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables
     where relname in ('ocr_request', 'ledger_transfer')`,
  );
  return rows[0].read;
}

/** Looks at what the connection of proofs does: rests within a statement, or between two. */
async function watched(
  times: number,
  options: ProofOptions,
): Promise<{ looks: number; within: number; between: number }> {
  const seen = { looks: 0, within: 0, between: 0 };
  for (let proofs = 0; proofs < times; proofs++) {
    let busy = true;
    const proving = proof.check(options).finally(() => {
      busy = false;
    });
    while (busy) {
      const { rows } = await pool.query(
        'select state, wait_event from pg_stat_activity where application_name = $1 and datname = current_database()',
        [PROOF_NAME],
      );
      for (const { state, wait_event } of rows) {
        seen.looks++;
        if (wait_event === 'PgSleep') seen.within++;
        else if (state === 'idle in transaction') seen.between++;
      }
    }
    expect(violated(await proving)).toEqual([]);
  }
  return seen;
}

describe('a proof of the books', () => {
  it('reads every row a few times at first, and then what came since', async () => {
    await pool.end();
    pool = openPool(String(pool.options.connectionString), { max: 1, log, kind: 'admin' }); // which is idle while a proof runs
    await pool.query('vacuum analyze');
    const start = await rowsRead();
    await proven();
    expect((await rowsRead()) - start).toBeLessThan(10 * 8000);
    await pay('ocr_new');
    const before = await rowsRead();
    expect(violated(await proof.check())).toEqual([]);
    expect((await rowsRead()) - before).toBeLessThan(200);
  });

  it.each([
    ['wallets equal their ledger', 'update wallet set posted = posted + 1'],
    ['owed amounts equal their ledger', 'update wallet set owed = 1'],
    ['held money equals open holds', 'update wallet set held = held + 1'],
    ['totals equal their rows', 'update wallet set pages = pages + 1'],
    ['totals equal their rows', 'update wallet set requests = requests - 1'],
    ['totals equal their rows', 'update wallet set spent = spent + 1'],
    ['wallets equal their ledger', 'delete from wallet'],
  ])('finds at once that not all %s (%s)', async (name, harm) => {
    await proven();
    await pool.query(`${harm} where account_id = '${ACCOUNT}'`);
    expect(violated(await proof.check())).toContain(name);
    expect(violated(await proof.check())).toContain(name); // what is not proven is not stored
    expect(violated(await proof.check({ full: true }))).toContain(name);
  });

  it('finds a request whose cost was changed by hand, and one that was charged beside its cost', async () => {
    await proven();
    await pool.query(
      `update ocr_request set cost = cost + 1 where id = (select max(id) from ocr_request where cost > 0)`,
    );
    expect(violated(await proof.check())).toEqual(['totals equal their rows']);
    await pool.query(
      `update ocr_request set cost = cost - 1 where id = (select max(id) from ocr_request where cost > 0)`,
    );
    expect(violated(await proof.check())).toEqual([]);
    await pay('ocr_new');
    await pool.query(`update ocr_request set cost = case id when 'ocr_new' then 8 else cost - 1 end
      where id in ('ocr_new', (select min(id) from ocr_request where account_id = '${ACCOUNT}' and cost > 0))`);
    expect(violated(await proof.check())).toEqual(['a request costs what the ledger charged for it']);
  });

  it('finds a limit that counts other than its requests do', async () => {
    await pool.query(
      `insert into api_key (id, account_id, prefix, hash, scopes) values ('key_limited', '${ACCOUNT}', 'sk', 'x', '{}')`,
    );
    await pool.query(`insert into key_budget (key_id, amount, period, spent) values ('key_limited', 100, 'total', 7)`);
    await pay('ocr_new');
    await pool.query(`update ocr_request set key_id = 'key_limited' where id = 'ocr_new'`);
    await pool.query(`update ocr_request set budget_term = 1 where id = 'ocr_new'`);
    expect(violated(await proof.check({ full: true }))).toEqual([]);
    await pool.query('update key_budget set spent = 6');
    expect(violated(await proof.check())).toEqual([]);
    expect(violated(await proof.check({ full: true }))).toEqual(['limits of keys count their requests']);
    await pool.query('update key_budget set spent = 7, held = 1');
    expect(violated(await proof.check())).toEqual(['limits of keys count their requests']);
  });

  it('finds what was changed in a transfer that was proven already when it is a full one', async () => {
    await proven();
    await pool.query('alter table ledger_transfer disable trigger all');
    await pool.query(
      `update ledger_transfer set amount = amount + 1 where kind = 'top_up' and account_id = '${ACCOUNT}'`,
    );
    expect(violated(await proof.check())).toEqual([]);
    expect(violated(await proof.check({ full: true }))).toEqual(['wallets equal their ledger']);
  });

  it('rests for most of its time, also within a statement, unless it is to be fast', async () => {
    const seen = { fast: await watched(3, { full: true, fast: true }), full: await watched(3, { full: true }) };
    expect(seen.fast.within).toBe(0);
    expect(seen.full.within).toBeGreaterThan(0);
    const increment = await watched(10, {});
    expect((increment.within + increment.between) / increment.looks).toBeGreaterThan(0.5);
  });

  it('is exact while money moves, also when several are made at once', async () => {
    await proven();
    let busy = true;
    const moving = (async () => {
      for (let n = 0; n < 150; n++) await pay(`ocr_moving_${n}`);
      busy = false;
    })();
    let proofs = 0;
    while (busy || proofs < 4) {
      const others = [
        proof.check(),
        new LedgerProof(String(pool.options.connectionString)).check({ full: proofs % 2 === 0 }),
      ];
      for (const checks of await Promise.all(others)) expect(violated(checks)).toEqual([]);
      proofs++;
    }
    await moving;
    expect(violated(await proof.check())).toEqual([]);
    expect(violated(await proof.check({ full: true }))).toEqual([]);
  });

  it('counts a transfer whose transaction began before the last proof and commits after it', async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into ledger_transfer (account_id, kind, debit, credit, amount) values ($1, 'top_up', 'cash', 'wallet', 5)`,
        [ACCOUNT],
      );
      await client.query('update wallet set posted = posted + 5 where account_id = $1', [ACCOUNT]);
      expect(violated(await proof.check())).toEqual([]);
      await client.query('commit');
    } finally {
      client.release(true);
    }
    expect(violated(await proof.check())).toEqual([]);
    await proven();
    expect(violated(await proof.check())).toEqual([]);
  });

  it('begins anew with a dump from a cluster whose transaction numbers were higher', async () => {
    await pool.query('alter table ledger_transfer disable trigger all');
    await pool.query(`update ledger_transfer set recorded_xid = '900000000'`);
    await pool.query('alter table ledger_transfer enable trigger all');
    await pool.query(`insert into ledger_proof (verified_before, above_id, full_at) values ('900000005', 0, now())`);
    expect(violated(await proof.check())).toEqual([]);
    await pay('ocr_new');
    expect(violated(await proof.check())).toEqual([]);
    const { rows } = await pool.query(
      'select above_id, (select sum(charged) from account_proof) as charged from ledger_proof',
    );
    expect(rows).toEqual([{ above_id: 4200n - 4n, charged: expect.anything() }]);
    await pool.query(`update wallet set posted = posted + 1 where account_id = '${ACCOUNT}'`);
    expect(violated(await proof.check())).toEqual(['wallets equal their ledger']);
  });
});
