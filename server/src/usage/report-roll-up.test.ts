import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { ACCOUNTS, ENGINES, RequestTable } from '../../../test/house/request-table.ts';
import { SeededRandom } from '../../../test/house/seeded-random.ts';
import { until } from '../../../test/house/until.ts';
import {
  chargesByRows,
  costsByRows,
  keysByRows,
  moneyByRows,
  slicesByRows,
} from '../../../test/house/usage-by-rows.ts';
import type { ApiKey } from '../accounts/model/api-key.ts';
import { MoneyFlow } from '../billing/money-flow.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { ReportsReady } from '../database/reports-ready.ts';
import { engineCharges } from '../monitoring/series/engine-charges.ts';
import type { EngineCharge } from '../monitoring/series/engine-charges.type.ts';
import { engineWindows } from '../monitoring/series/engine-window.ts';
import { lowestId } from '../platform/ids.ts';
import { makeLog } from '../platform/logging/log.ts';
import { AccountUsageReader } from './account-usage.ts';
import { KeyUsageReader } from './key-usage.ts';
import { ReportRollUp } from './report-roll-up.job.ts';
import { UsageHistory } from './usage-history.ts';
import { usageHistoryOfRows } from './usage-history-rows.ts';
import { usagePeriod } from './usage-period.ts';
import { usageSummary } from './usage-summary.ts';

const DAY_MS = 86_400_000;
const NOTHING = { requests: 0, pages: 0, spent: 0n };
const log = makeLog('silent');
const TABLES = ['ocr_request', 'usage_event', 'usage_day', 'usage_total', 'engine_hour_cost', 'money_hour'];

let pool: Pool;
let rollUp: ReportRollUp;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 8, log });
  rollUp = new ReportRollUp(pool, log);
  await pool.query(
    `insert into account (id, email, signing_secret) select id, id || '@example.com', '' from unnest($1::uuid[]) id`,
    [ACCOUNTS],
  );
});
beforeEach(async () => {
  for (const table of TABLES) await pool.query(`delete from ${table}`);
  await pool.query('alter table ledger_transfer disable trigger all; delete from ledger_transfer');
  await pool.query(`update usage_mark set complete = true, counted_to = ''`);
  await pool.query('update money_mark set complete = true, counted_to = 0, above_id = 0');
});
afterAll(() => pool.end());

/** Every figure of every account is what the rows say, with whatever of it is counted. */
async function expectExact(): Promise<void> {
  const ready = new ReportsReady(pool);
  const now = new Date();
  const months = usagePeriod(new Date(now.getTime() - 50 * DAY_MS).toISOString().slice(0, 10), null, now);
  for (const accountId of ACCOUNTS) {
    for (const engine of [null, ENGINES[0] ?? null]) {
      for (const [period, perPage] of [
        [months, 7],
        [usagePeriod(null, null, now), 100],
      ] as const) {
        const history = new UsageHistory(pool, ready);
        const first = await usageHistoryOfRows(pool, { accountId, period, engine, page: 1, perPage });
        for (let page = 1; page <= Number(first.total) / perPage + 2; page++) {
          const wanted = { accountId, period, engine, page, perPage };
          expect(await history.read(wanted)).toEqual(await usageHistoryOfRows(pool, wanted));
        }
      }
    }
    const summary = await usageSummary({ pool, ready }, accountId, months);
    const slices = await slicesByRows(pool, accountId, months);
    const shown = (which: 'isDay' | 'isEngine' | 'isKey') =>
      slices.filter((slice) => slice[which]).map(({ isDay: _d, isEngine: _e, isKey: _k, ...slice }) => slice);
    const bare = (list: typeof summary.byDay) =>
      list
        .map(({ of, requests, pages, failed, cost, chargedOnFailures }) => ({
          of,
          requests,
          pages,
          failed,
          cost,
          chargedOnFailures,
        }))
        .sort(byName);
    expect(bare(summary.byDay)).toEqual(shown('isDay').sort(byName));
    expect(bare(summary.byEngine)).toEqual(shown('isEngine').sort(byName));
    expect(bare(summary.byKey)).toEqual(shown('isKey').sort(byName));
    expect(bare([summary.total])).toEqual(
      slices
        .filter(({ isDay, isEngine, isKey }) => !isDay && !isEngine && !isKey)
        .map(({ isDay: _d, isEngine: _e, isKey: _k, ...slice }) => slice),
    );
  }
  const listed = { order: 'email', descending: false, search: null, owing: false, days: 30 } as const;
  const charges = await Promise.all(ACCOUNTS.map((id) => chargesByRows(pool, id, 30)));
  for (const from of [ready, { look: async () => false } as ReportsReady]) {
    const { nodes } = await new AccountUsageReader(pool, from).page(listed, { size: 10, after: null }, now);
    expect(nodes.map(({ costByDay }) => costByDay)).toEqual(charges);
    expect(nodes.map(({ cost }) => cost)).toEqual(charges.map((days) => days.reduce((sum, cost) => sum + cost)));
  }
  const today = now.getTime() - (now.getTime() % DAY_MS);
  const keys = await keysByRows(pool, lowestId('ocr_', new Date(today - 29 * DAY_MS)));
  const reader = new KeyUsageReader(pool, ready);
  const context = { caller: null };
  const read = ['key_1', 'key_2', 'key_3'].map((id) =>
    Promise.all(ACCOUNTS.map((accountId) => reader.of({ id, accountId } as ApiKey, context))),
  );
  expect((await Promise.all(read)).map(([usage]) => usage)).toMatchObject(
    ['key_1', 'key_2', 'key_3'].map((id) => keys.get(id) ?? NOTHING),
  );
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000 - 29 * DAY_MS);
  expect(await new MoneyFlow(pool, ready).since(hour)).toMatchObject(await moneyByRows(pool, hour));
  const costs = await costsByRows(pool, hour);
  const windows = await engineWindows({ pool, ready }, ENGINES, { hours: 29 * 24, now });
  expect(windows.map(({ spent }) => spent)).toEqual(ENGINES.map((id) => costs.get(id) ?? 0n));
  const end = new Date(hour.getTime() + 15 * DAY_MS);
  const [later, all] = [await moneyByRows(pool, end), await moneyByRows(pool, hour)];
  const daily = await costsByRows(pool, new Date(today - 28 * DAY_MS));
  for (const from of [ready, { look: async () => false } as ReportsReady]) {
    const { spent, chargedOnFailures } = await new MoneyFlow(pool, from).moved({ since: hour, until: end });
    expect([spent, chargedOnFailures]).toEqual([
      all.spent - later.spent,
      all.chargedOnFailures - later.chargedOnFailures,
    ]);
    const hours = await engineCharges({ pool, ready: from }, ENGINES, { step: 'hour', many: 29 * 24 + 1, now });
    expect(hours.map(sumOf)).toEqual(ENGINES.map((id) => costs.get(id) ?? 0n));
    const days = await engineCharges({ pool, ready: from }, ENGINES, { step: 'day', many: 29, now });
    expect(days.map(sumOf)).toEqual(ENGINES.map((id) => daily.get(id) ?? 0n));
  }
}

const sumOf = (charges: readonly EngineCharge[]) => charges.reduce((sum, { spent }) => sum + spent, 0n);

const byName = (a: { of: string }, b: { of: string }) => (a.of < b.of ? -1 : 1);

/** A roll-up goes as far as the oldest transaction that runs, in whichever database of the cluster. */
function settled(): Promise<unknown> {
  const open = `select from usage_event where recorded_xid >= pg_snapshot_xmin(pg_current_snapshot())
                union all select from ledger_transfer where recorded_xid >= pg_snapshot_xmin(pg_current_snapshot())`;
  return until('older transactions have ended', async () => (await pool.query(open)).rowCount === 0);
}

async function leftOver(): Promise<number> {
  return (await pool.query('select from usage_event')).rowCount ?? 0;
}

describe('usage by day and money by hour', () => {
  it.each([1, 2])('say with what came after them what the rows say, whenever they are made (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const table = new RequestTable(pool, random);
    for (let step = 0; step < 90; step++) {
      await table.change();
      if (random.below(8) === 0) await rollUp.roll();
      if (random.below(30) === 0) await expectExact();
    }
    await settled();
    await rollUp.roll();
    expect(await leftOver()).toBe(0);
    await expectExact();
  });

  it('count every change once, made at once by several processes while requests end', async () => {
    const table = new RequestTable(pool, new SeededRandom(3));
    let busy = true;
    const writing = (async () => {
      for (let step = 0; step < 120; step++) await table.change();
      busy = false;
    })();
    while (busy) await Promise.all([rollUp.roll(), new ReportRollUp(pool, log).roll()]);
    await writing;
    await settled();
    await rollUp.roll();
    expect(await leftOver()).toBe(0);
    await expectExact();
  });

  it('do not lose a request whose transaction began before and commits after', async () => {
    const table = new RequestTable(pool, new SeededRandom(4));
    for (let step = 0; step < 20; step++) await table.change();
    const client = await pool.connect();
    try {
      await client.query('begin');
      await new RequestTable(client as unknown as Pool, new SeededRandom(5)).accept('ended');
      for (let step = 0; step < 5; step++) await table.change();
      await rollUp.roll();
      await expectExact();
      await client.query('commit');
    } finally {
      client.release(true);
    }
    await expectExact();
    await settled();
    await rollUp.roll();
    await expectExact();
  });

  it('count what was there before them in batches, while requests end and change, and go on after a break', async () => {
    await pool.query('alter table ocr_request disable trigger all');
    const table = new RequestTable(pool, new SeededRandom(6));
    for (let step = 0; step < 60; step++) await table.change();
    await pool.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages, finished_at)
       select 'ocr_0' || lpad(n::text, 25, '0'), $1, 'a', 'b', 'sync', '{}', 'succeeded', 'succeeded', 1, 3, 2, now()
       from generate_series(1, 11000) n`,
      [ACCOUNTS[0]],
    );
    await pool.query('delete from usage_event');
    await pool.query('alter table ocr_request enable trigger all');
    await pool.query(`update usage_mark set complete = false, recorded_before = '0'`);
    await pool.query(
      `update money_mark set complete = false, recorded_before = '0', above_id = (select max(id) from ledger_transfer)`,
    );
    const ready = new ReportsReady(pool);
    for (let step = 0; !(await ready.look()); step++) {
      for (let more = 0; more < 10; more++) await table.change();
      await pool.query(
        `update ocr_request set cost = cost + 1 where id in (select id from ocr_request where cost = 3 order by random() limit 20)`,
      );
      await new ReportRollUp(pool, log).step();
      expect(step).toBeLessThan(9);
    }
    await expectDays();
    await settled();
    await rollUp.roll();
    expect(await leftOver()).toBe(0);
    await expectDays();
  });

  it('start again with a dump from a cluster whose transaction numbers were higher', async () => {
    const table = new RequestTable(pool, new SeededRandom(7));
    for (let step = 0; step < 30; step++) await table.change();
    await settled();
    await rollUp.roll();
    await pool.query(
      `update usage_mark set recorded_before = '900000000'; update money_mark set recorded_before = '900000000'`,
    );
    for (let step = 0; step < 10; step++) await table.change();
    await expectExact();
    await rollUp.roll();
    await expectExact();
    for (let step = 0; step < 10; step++) await table.change();
    await expectExact();
  });
});

/** The days as they are stored, and what came after them, against the rows, of every account. */
async function expectDays(): Promise<void> {
  const { rows } = await pool.query(`
    with stored as (
      select account_id, day, engine, key_id, sum(requests) as requests, sum(pages) as pages, sum(failed) as failed, sum(cost) as cost
      from (
        select account_id, day, engine, key_id, requests, pages, failed, cost from usage_day
        union all
        select account_id, (hour at time zone 'UTC')::date, engine, key_id, requests, pages, failed, cost from usage_event
        where recorded_xid >= (select recorded_before from usage_mark)
      ) parts group by 1, 2, 3, 4
    ),
    counted as (
      select account_id, (created_at at time zone 'UTC')::date as day, engine, coalesce(key_id, '') as key_id, count(*) as requests,
        sum(coalesce(pages, 0)) as pages, count(*) filter (where status in ('failed', 'rejected')) as failed, sum(cost) as cost
      from ocr_request where finished_at is not null group by 1, 2, 3, 4
    )
    (select * from stored except select * from counted) union all (select * from counted except select * from stored)`);
  expect(rows).toEqual([]);
}
