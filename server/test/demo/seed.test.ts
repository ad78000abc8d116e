import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { expectError } from '../../../test/house/expect-error.ts';
import { ask } from '../../../test/house/graphql.ts';
import { type House, type HouseAccount, openHouse } from '../../../test/house/house.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { until } from '../../../test/house/until.ts';
import { seedDemo } from '../../src/admin/seed-demo.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

/** A Wednesday's afternoon; the outage of the calendar is two days before it. */
const NOW = new Date('2026-11-25T15:20:00Z');
const LOG = makeLog('silent');

let house: House;
let operator: HouseAccount;
let pool: Pool;
let written: number;

beforeAll(async () => {
  house = await openHouse();
  operator = await house.account({ scopes: ['operator'] });
  pool = openPool(house.product.databaseUrl, { max: 2, log: LOG, kind: 'admin' });
  written = (await seedDemo(pool, { days: 3, seed: 'a', now: NOW }, LOG)).requests;
});
afterAll(async () => {
  await pool.end();
  await house[Symbol.asyncDispose]();
});

async function idsOf(database: Pool): Promise<string> {
  const { rows } = await database.query<{ ids: string }>(
    `select md5(string_agg(id || cost || status || engine, ' ' order by id)) as ids from ocr_request where idempotency_key like 'demo-%'`,
  );
  return rows[0]?.ids ?? '';
}

it('has keys that were used when their requests came', async () => {
  const { rows } = await pool.query(
    `select count(*)::int as keys, count(*) filter (where k.last_used_at is distinct from used.at)::int as wrong
     from api_key k join account a on a.id = k.account_id and a.demo
     join (select key_id, max(created_at) as at from ocr_request group by key_id) used on used.key_id = k.id`,
  );
  expect(rows[0]?.keys).toBeGreaterThan(3);
  expect(rows[0]?.wrong).toBe(0);
});

it('writes traffic that the books agree with', async () => {
  expect(written).toBeGreaterThan(1000);
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
  const { rows } = await pool.query(
    `select count(distinct status)::int as statuses, count(distinct engine)::int as engines, count(distinct account_id)::int as accounts,
       count(*) filter (where finished_at is null)::int as open
     from ocr_request where idempotency_key like 'demo-%'`,
  );
  expect(rows[0]).toEqual({ statuses: 4, engines: 6, accounts: 4, open: 0 });
  const { rows: kinds } = await pool.query('select distinct kind from ledger_transfer order by 1');
  expect(kinds.map(({ kind }) => kind)).toEqual(['charge', 'provider_cost', 'top_up']);
  const { rows: deliveries } = await pool.query('select distinct status from webhook_delivery order by 1');
  expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'failed']);
});

it('adds nothing the second time, and what is missing later', async () => {
  const before = await idsOf(pool);
  expect((await seedDemo(pool, { days: 3, seed: 'a', now: NOW }, LOG)).requests).toBe(0);
  expect(await idsOf(pool)).toBe(before);
  const later = new Date(NOW.getTime() + 3 * 3_600_000);
  const more = await seedDemo(pool, { days: 3, seed: 'a', now: later }, LOG);
  expect(more.requests).toBeGreaterThan(20);
  expect(more.from).toBe('2026-11-22T00:00:00.000Z');
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

it('has alerts that have ended, once each, which the console and the page of incidents show', async () => {
  const { data } = await ask<{ alerts: { id: string; engineId: string; title: string; endedAt: string | null }[] }>(
    operator.caller,
    '{ alerts { id engineId title endedAt } }',
  );
  const ofDemo = data.alerts.filter(({ engineId }) => engineId?.startsWith('demo-'));
  expect(ofDemo.map(({ title }) => title)).toContain('Cumulus Layout (demo) is down');
  expect(ofDemo.filter(({ title, endedAt }) => title.endsWith('is down') && endedAt === null)).toEqual([]);
  expect(new Set(ofDemo.map(({ id }) => id)).size).toBe(ofDemo.length);
});

it('makes the same traffic of the same seed, and other traffic of another', async () => {
  const tried = async (seed: string) => {
    const other = openPool(await createDatabase(), { max: 2, log: LOG, kind: 'admin' });
    try {
      await seedDemo(other, { days: 1, seed, now: NOW }, LOG);
      return await idsOf(other);
    } finally {
      await other.end();
    }
  };
  const first = await tried('a');
  expect(await tried('a')).toBe(first);
  expect(await tried('b')).not.toBe(first);
});

it('shows its engines beside the others, marked, with an outage and a weak one, and lets nobody use them', async () => {
  const query = `{ engines { id demo status health { status } uptime(days: 365) { totalChecks overallUptimePct } }
    accounts { nodes { email demo } } }`;
  type Engine = {
    id: string;
    demo: boolean;
    status: string;
    health: { status: string };
    uptime: { overallUptimePct: number };
  };
  const shown = await until('the catalogue shows them', async () => {
    const { data } = await ask<{ engines: Engine[]; accounts: { nodes: { email: string; demo: boolean }[] } }>(
      operator.caller,
      query,
    );
    return data.engines.some(({ demo }) => demo) && data;
  });
  const demos = shown.engines.filter(({ demo }) => demo);
  expect(demos.map(({ id, status, health }) => [id, status, health.status])).toEqual([
    ['demo-aurora', 'coming_soon', 'healthy'],
    ['demo-borealis', 'coming_soon', 'healthy'],
    ['demo-cumulus', 'coming_soon', 'healthy'],
    ['demo-ember', 'coming_soon', 'degraded'],
  ]);
  expect(shown.engines.find(({ id }) => id === 'reader')?.demo).toBe(false);
  expect(shown.accounts.nodes.filter(({ demo }) => demo)).toHaveLength(4);
  const { caller } = await house.account();
  for (const { id } of demos) expectError(await caller.ocr(await pictureBody(id)), 400, 'invalid_request');
});
