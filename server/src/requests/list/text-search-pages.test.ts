import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestFilter } from './request-filter.input.ts';
import { RequestList } from './request-list.ts';

const [ACCOUNT, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const STORED = 6000;
const SEARCHED_AMONG = 1000;
const WHOLE = { shown: new Set<string>(), listed: (request: OcrRequest) => request };

let pool: Pool;
let list: RequestList;

/** The n-th oldest. */
const id = (n: number) => `ocr_01${String(n).padStart(24, '0')}`;
const numberOf = (request: { id: string }) => Number(request.id.slice(6));

/** Every other one is of each account; each hundredth failed. */
beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 3, log: makeLog('silent'), kind: 'reports' });
  await pool.query(
    `insert into ocr_request (id, account_id, idempotency_key, requested_engine, engine, mode, effective, status, outcome, hold, error_code,
       provider_error, created_at, finished_at)
     select 'ocr_01' || lpad(n::text, 24, '0'), case when n % 2 = 0 then $2::uuid else $3::uuid end, 'invoice-' || n, 'a', 'a', 'sync', '{}',
       case when n % 100 = 0 then 'failed' else 'succeeded' end, case when n % 100 = 0 then 'failed' else 'succeeded' end, 0,
       case when n % 100 = 0 then 'provider_error' end,
       case when n = 400 then 'HTTP 418: I am a Teapot' when n % 100 = 0 then 'HTTP 500' end,
       timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '2 seconds'
     from generate_series(1, $1::int) n`,
    [STORED, ACCOUNT, OTHER],
  );
  await pool.query('analyze ocr_request');
  list = new RequestList(pool, { searchedAmong: SEARCHED_AMONG });
});
afterAll(() => pool.end());

const page = (filter: RequestFilter, { of = null, after = null, size = 2 }: Partial<Asked> = {}) =>
  list.page(of, filter, { size, after, ...WHOLE, party: of });
interface Asked {
  readonly of: string | null;
  readonly after: string | null;
  readonly size: number;
}

it('stops where it has looked at so many, says how far it came, and goes on from there', async () => {
  let { nodes, pageInfo, searchedTo } = await page({ text: 'invoice-39' }, { size: 100 });
  expect(nodes).toEqual([]);
  const last = STORED - SEARCHED_AMONG + 1;
  expect(pageInfo).toMatchObject({ hasNextPage: true, endCursor: id(last) });
  expect(searchedTo).toEqual(new Date(Date.parse('2026-01-01T00:00:00Z') + 1000 * last));
  const found: number[] = [];
  let pages = 1;
  for (; pageInfo.hasNextPage; pages += 1) {
    ({ nodes, pageInfo, searchedTo } = await page({ text: 'invoice-39' }, { size: 100, after: pageInfo.endCursor }));
    found.push(...nodes.map(numberOf));
  }
  const all = Array.from({ length: STORED }, (_, at) => STORED - at).filter((n) => String(n).startsWith('39'));
  expect(found).toEqual(all);
  expect(searchedTo).toBeNull();
  expect(pages).toBeGreaterThan(STORED / SEARCHED_AMONG);
});

it('is like any other list where a page is full', async () => {
  const first = await page({ text: 'INVOICE' });
  expect(first).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } });
  const full = await page({ text: 'invoice' }, { size: SEARCHED_AMONG });
  expect(full.nodes).toHaveLength(SEARCHED_AMONG);
  expect(full).toMatchObject({ pageInfo: { hasNextPage: true, endCursor: id(STORED - SEARCHED_AMONG + 1) } });
  const two = await page({ text: 'invoice' });
  expect(two.nodes.map(numberOf)).toEqual([STORED, STORED - 1]);
  expect(two).toMatchObject({ searchedTo: null, pageInfo: { endCursor: id(STORED - 1), hasNextPage: true } });
  const end = await page({ text: 'invoice' }, { after: id(2) });
  expect(end).toMatchObject({ searchedTo: null, pageInfo: { endCursor: id(1), hasNextPage: false } });
});

it('finds what stands in a message, of the requests that can have one where the filter says so', async () => {
  const status: RequestFilter['status'] = ['failed'];
  expect((await page({ text: 'a TEAPOT', status })).nodes.map(numberOf)).toEqual([400]);
  expect((await page({ text: 'a teapot', status }, { of: ACCOUNT })).nodes.map(numberOf)).toEqual([400]);
  expect(await page({ text: 'a teapot', status }, { of: OTHER })).toMatchObject({ nodes: [], searchedTo: null });
  expect((await page({ text: 'provider_', engine: 'a' })).nodes.map(numberOf)).toEqual([STORED, STORED - 100]);
  expect((await page({ text: 'provider_', engine: 'b' })).nodes).toEqual([]);
  const slowest = await list.slowest(null, { text: 'http 500' }, { size: 2, ...WHOLE });
  expect(slowest.map(numberOf)).toEqual([STORED, STORED - 100]);
  expect(await list.slowest(null, { text: 'teapot' }, { size: 2, ...WHOLE })).toEqual([]);
});

it('touches no more rows than it may look at, whatever the filter is, and none of them by a sort of the table', async () => {
  for (const [of, filter] of [
    [null, { text: 'nowhere' }],
    [null, { text: 'nowhere', engine: 'b' }],
    [null, { text: 'nowhere', status: ['failed'] }],
    [ACCOUNT, { text: 'nowhere' }],
    [ACCOUNT, { text: 'nowhere', keyId: 'key_none' }],
  ] as [string | null, RequestFilter][]) {
    const touched = await rowsTouched(of, filter);
    expect(touched, JSON.stringify(filter)).toBeLessThanOrEqual(SEARCHED_AMONG + 10);
  }
  expect(await rowsTouched(null, { text: 'invoice' })).toBeLessThan(20);
});

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: Plan[];
}

/** How many rows of requests the database reads for a page, as it plans for any values. */
async function rowsTouched(of: string | null, filter: RequestFilter): Promise<number> {
  let plan: Plan | undefined;
  const explained = Object.assign(Object.create(pool), {
    ask: async ({ text, values }: { text: string; values: unknown[] }) => {
      const client = await pool.connect();
      try {
        await client.query('set plan_cache_mode = force_generic_plan');
        const { rows } = await client.query({
          name: `explain-${text.length}`,
          text: `explain (analyze, format json) ${text}`,
          values,
        });
        plan = rows[0]['QUERY PLAN'][0].Plan;
        return [];
      } finally {
        await client.query('reset plan_cache_mode');
        client.release();
      }
    },
  }) as Pool;
  const asked = new RequestList(explained, { searchedAmong: SEARCHED_AMONG });
  await asked.page(of, filter, { size: 2, after: null, ...WHOLE, party: null });
  return plan ? touchedBy(plan) : Number.NaN;
}

function touchedBy(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + touchedBy(each), 0);
  return plan['Relation Name'] === 'ocr_request' ? own + below : below;
}
