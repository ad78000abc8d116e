import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { ReportsReady } from '../../src/database/reports-ready.ts';
import { lowestId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { type AccountUsageQuery, AccountUsageReader } from '../../src/usage/account-usage.ts';
import type { AccountUsage } from '../../src/usage/account-usage.type.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ACCOUNTS = 25;
const USUAL: AccountUsageQuery = { order: 'email', descending: false, days: 7, search: null, owing: false };

let pool: Pool;
let reader: AccountUsageReader;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 2, log: makeLog('silent'), kind: 'admin' });
  await pool.query(
    `insert into account (id, email, signing_secret)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Owner' || lpad(n::text, 3, '0') || '@example.com', 's'
     from generate_series(1, $1::int) n`,
    [ACCOUNTS],
  );
  await pool.query(
    `insert into wallet (account_id, posted, held, owed)
     select id, 10 * (row_number() over (order by id)), 5, case when row_number() over (order by id) = 3 then 7 else 0 end
     from account`,
  );
  // Counted today, a week ago (out of seven days), and recorded since the last count.
  await pool.query(
    `insert into usage_day (account_id, day, engine, key_id, requests, pages, failed, cost, failed_cost, by_hour)
     select id, day, 'reader', key_id, n % 4, 1, 0, n, 0, '{}'
     from (select id, row_number() over (order by id) as n from account) a,
       (values ('2026-11-20'::date, 'a'), ('2026-11-20', 'b'), ('2026-11-14', 'a'), ('2026-11-13', 'a')) d(day, key_id)
     where n > 5`,
  );
  await pool.query(
    `insert into usage_event (request_id, account_id, hour, engine, key_id, requests, pages, failed, cost, failed_cost)
     select 'ocr_x', id, '2026-11-20T11:00:00Z', 'reader', 'a', 1, 2, 1, 1000, 0 from account where email like '%004%'`,
  );
  reader = new AccountUsageReader(pool, new ReportsReady(pool));
});
afterAll(() => pool.end());

/** Every account of an order, page by page. */
async function all(wish: Partial<AccountUsageQuery>, size = 4): Promise<AccountUsage[]> {
  const found: AccountUsage[] = [];
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo } = await reader.page({ ...USUAL, ...wish }, { size, after }, NOW);
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

function numberOf({ account }: AccountUsage): number {
  return Number(account.id.slice(-12));
}

it('lists every account once in each order, and the other way round', async () => {
  for (const order of ['email', 'available', 'owed', 'requests', 'cost'] as const) {
    const up = (await all({ order })).map(numberOf);
    expect(up.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ACCOUNTS }, (_, n) => n + 1));
    expect((await all({ order, descending: true }, 7)).map(numberOf)).toEqual(up.toReversed());
  }
});

it('sorts by what is left, owed and used, and says how much that is', async () => {
  const [richest] = await all({ order: 'available', descending: true });
  expect(richest?.account.email).toBe('Owner025@example.com');
  const [debtor] = await all({ order: 'owed', descending: true });
  expect(debtor?.account.email).toBe('Owner003@example.com');
  const [dearest, next] = await all({ order: 'cost', descending: true });
  expect(dearest).toMatchObject({ requests: 1, pages: 2, failed: 1, cost: 1000n });
  expect(dearest?.account.email).toBe('Owner004@example.com');
  expect([next && numberOf(next), next?.requests, next?.cost]).toEqual([25, 3, 75n]);
  const busiest = await all({ order: 'requests', descending: true });
  expect(busiest.slice(0, 2).map((each) => [numberOf(each), each.requests])).toEqual([
    [23, 9],
    [19, 9],
  ]);
  const byName = await all({});
  expect(byName.at(24)).toEqual(next);
});

it('counts whole days up to today', async () => {
  const costs = await Promise.all([1, 7, 8].map(async (days) => (await all({ days })).at(-1)?.cost));
  expect(costs).toEqual([50n, 75n, 100n]);
});

it('narrows the list to a part of the address, and to those that owe', async () => {
  expect((await all({ search: 'OWNER02' })).map(numberOf)).toEqual([20, 21, 22, 23, 24, 25]);
  expect((await all({ owing: true, order: 'cost' })).map(numberOf)).toEqual([3]);
});

it('refuses what is no cursor of the order', async () => {
  for (const after of ['', 'x', '1 x', `x ${'0'.repeat(36)}`]) {
    await expect(reader.page({ ...USUAL, order: 'cost' }, { size: 1, after }, NOW)).rejects.toThrow('is not a cursor');
  }
});

it('counts the requests themselves as long as they are not all counted', async () => {
  await pool.query('update usage_mark set complete = false');
  try {
    const rows = new AccountUsageReader(pool, new ReportsReady(pool));
    const at = new Date('2026-11-20T10:00:00Z');
    await pool.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
         created_at, finished_at)
       values ($1, '00000000-0000-4000-8000-000000000009', 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded',
         0, 42, 3, $2, $2)`,
      [lowestId('ocr_', at), at],
    );
    for (const order of ['email', 'cost'] as const) {
      const { nodes } = await rows.page({ ...USUAL, order, descending: true }, { size: 100, after: null }, NOW);
      const used = nodes.filter(({ requests }) => requests > 0);
      expect(used.map((each) => [numberOf(each), each.requests, each.pages, each.cost])).toEqual([[9, 1, 3, 42n]]);
    }
  } finally {
    await pool.query('update usage_mark set complete = true');
  }
});

it.each(['cost', 'requests'] as const)(
  'sums what twenty thousand accounts used within its memory, by %s',
  async (order) => {
    await using many = await manyAccounts();
    const before = await many.spilledBytes();
    const page = await many.reader.page(
      { ...USUAL, order, descending: true, days: 30 },
      { size: 50, after: null },
      NOW,
    );
    expect(page.nodes).toHaveLength(50);
    expect(page.nodes[0]).toMatchObject({ requests: 2 * MANY, pages: 4, failed: 0, cost: BigInt(2 * MANY) });
    expect((await many.spilledBytes()) - before).toBe(0);
  },
);

const MANY = 20_000;

/** As many accounts with two days each, read as reports are. */
async function manyAccounts() {
  const own = openPool(await createDatabase(), { max: 1, log: makeLog('silent'), kind: 'reports' });
  await own.query(
    `insert into account (id, email, signing_secret) select gen_random_uuid(), n || '@example.com', 's' from generate_series(1, ${MANY}) n`,
  );
  await own.query(
    `insert into usage_day (account_id, day, engine, key_id, requests, pages, failed, cost, failed_cost, by_hour)
     select id, '2026-11-20'::date - d, 'reader', 'a', n, 2, 0, n, 0, '{}'
     from (select id, row_number() over (order by email) as n from account) a, generate_series(0, 1) d`,
  );
  await own.query('vacuum analyze');
  return {
    reader: new AccountUsageReader(own, new ReportsReady(own)),
    async spilledBytes(): Promise<number> {
      await own.query('select pg_stat_force_next_flush()');
      const spilled = 'select temp_bytes::float8 as bytes from pg_stat_database where datname = current_database()';
      return (await own.query<{ bytes: number }>(spilled)).rows[0]?.bytes ?? Number.NaN;
    },
    [Symbol.asyncDispose]: () => own.end(),
  };
}
