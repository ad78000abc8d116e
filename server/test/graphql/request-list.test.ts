import { type GraphQLObjectType, graphql, isLeafType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import type { Context } from '../../src/accounts/callers/context.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { RequestList } from '../../src/requests/list/request-list.ts';
import { OutputsResolver } from '../../src/requests/output/outputs.resolver.ts';
import { ReadPages } from '../../src/requests/output/read-pages.ts';
import { PositionTurns } from '../../src/requests/places/position-turns.ts';
import { JobsResolver } from '../../src/requests/show/jobs.resolver.ts';
import { RequestDetailsResolver } from '../../src/requests/show/request-details.resolver.ts';
import { RequestsResolver } from '../../src/requests/show/requests.resolver.ts';
import { IncludedPages } from '../../src/requests/store/included-pages.ts';
import { requestLoaders } from '../../src/requests/store/request-loaders.ts';
import { StoredPages } from '../../src/requests/store/stored-pages.ts';
import { TextTurns } from '../../src/requests/store/texts/text-turns.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const LARGE_BYTES = 100_000;
const log = makeLog('silent');

let pool: Pool;
let schema: ReturnType<typeof makeSchema>;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 1, log, kind: 'admin' });
  // Among many small successes three failures long ago, and lately a hundred with large settings.
  await pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, finished_at)
     select 'ocr_0' || lpad(n::text, 25, '0'), $1, 'reader', 'reader', 'sync', '{}', case when n < 4 then 'failed' else 'succeeded' end,
       'succeeded', 0, 5, now() from generate_series(1, 20000) n`,
    [ACCOUNT],
  );
  await pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, warnings, metadata,
       applied_settings, hold, finished_at)
     select 'ocr_1' || lpad(n::text, 25, '0'), $1, 'reader', 'reader', 'sync', large, 'succeeded', 'succeeded',
       jsonb_build_array('a note'), '{"warnings": ["large"]}', large, 0, now()
     from generate_series(1, 100) n, (select jsonb_build_object('outputFormat', 'json', 'url', null, 'native',
       jsonb_build_object('x', (select string_agg(md5(m::text), '') from generate_series(1, ${LARGE_BYTES / 32}) m))) as large) one`,
    [ACCOUNT],
  );
  await pool.query('vacuum analyze ocr_request');
  const unused = null as never; // no operation of this file gets there
  const loaders = requestLoaders(pool, {
    positions: new PositionTurns({ hasOthers: () => false }),
    texts: { pool, turns: new TextTurns() },
  });
  schema = makeSchema([
    new RequestsResolver(
      unused,
      unused,
      loaders,
      new IncludedPages(loaders, new StoredPages(pool, { pool, turns: new TextTurns() })),
    ),
    new OutputsResolver(new ReadPages(pool, new PositionTurns({ hasOthers: () => false }))),
    new JobsResolver(unused, unused),
    new RequestDetailsResolver(new RequestList(pool), unused, loaders),
  ]);
});
afterAll(() => pool.end());

const CALLER = {
  accountId: ACCOUNT,
  keyId: 'key_x',
  tier: 'free',
  history: true,
  via: 'key',
  scopes: ['operator', 'ocr:read'],
} as const;

async function ask(source: string) {
  const { data, errors } = await graphql({ schema, source, contextValue: { caller: CALLER } satisfies Context });
  expect(errors).toBeUndefined();
  const page = data?.['requests'] as { nodes: Record<string, unknown>[] } | undefined; // each query asks for this
  return page?.nodes ?? [];
}

/** Blocks of what is stored outside of its row, and rows, that PostgreSQL has read so far. */
async function read(): Promise<{ large: number; rows: number }> {
  await pool.query('select pg_stat_force_next_flush()');
  await pool.query('select pg_stat_clear_snapshot()');
  const { rows } = await pool.query(
    `select (io.toast_blks_read + io.toast_blks_hit)::int as large, (t.seq_tup_read + coalesce(t.idx_tup_fetch, 0))::int as rows
     from pg_stat_user_tables t join pg_statio_user_tables io using (relid) where t.relname = 'ocr_request'`,
  );
  return rows[0];
}

describe('a list of requests', () => {
  it('reads nothing of large settings that it does not show', async () => {
    const before = await read();
    const nodes = await ask('{ requests(first: 100) { nodes { id status engine cost createdAt } } }');
    expect(nodes).toHaveLength(100);
    expect((await read()).large - before.large).toBe(0);
  });

  it('reads what a fragment asks for, and no more', async () => {
    const [first] = await ask(
      'query { requests(first: 2) { ...page } } fragment page on RequestPage { nodes { ... { warnings metadata { warnings } } } }',
    );
    expect(first).toEqual({ warnings: ['a note'], metadata: { warnings: ['large'] } });
    const before = await read();
    const [shown] = await ask('{ requests(first: 2) { nodes { understood outputFormat } } }');
    expect(shown?.['understood']).toMatchObject({ native: { x: expect.any(String) } });
    expect((await read()).large).toBeGreaterThan(before.large);
  });

  it('has every field of a request, each by itself', async () => {
    const type = schema.getType('OcrRequest') as GraphQLObjectType;
    for (const field of Object.values(type.getFields())) {
      const bare = isNonNullType(field.type) ? field.type.ofType : field.type;
      const selection =
        isLeafType(bare) || String(bare).startsWith('[String') ? field.name : `${field.name} { __typename }`;
      expect(await ask(`{ requests(first: 1) { nodes { ${selection} } } }`)).toHaveLength(1);
    }
  });

  it.each([
    '{ status: [failed] }',
    '{ status: [failed, rejected, partial], allAccounts: true }',
    '{ chargedFailures: true }',
    '{ chargedFailures: true, allAccounts: true }',
    '{ ids: ["ocr_00000000000000000000000001", "ocr_00000000000000000000000002", "ocr_00000000000000000000000003"] }',
  ])('finds what is rare without walking through the rest: %s', async (filter) => {
    const quoted = filter.replaceAll(
      /\[(failed[^\]]*)\]/g,
      (_, list) =>
        `[${String(list)
          .split(', ')
          .map((one) => `"${one}"`)}]`,
    );
    const before = await read();
    expect(await ask(`{ requests(first: 50, filter: ${quoted}) { nodes { id status } } }`)).toHaveLength(3);
    expect((await read()).rows - before.rows).toBeLessThan(100);
  });

  it('finds requests by how their webhook stands, and takes no other word for it', async () => {
    const place = (n: number) => `ocr_0${String(n).padStart(25, '0')}`;
    await pool.query(
      `insert into webhook_delivery (id, account_id, request_id, url, origin, event, is_failure, status, finished_at)
       select 'whd_' || n, $1, 'ocr_0' || lpad(n::text, 25, '0'), 'https://example.com', 'https://example.com', 'ocr.completed', false,
         case n when 5 then 'failed' when 6 then 'delivered' else 'pending' end, case when n < 7 then now() end
       from generate_series(5, 7) n`,
      [ACCOUNT],
    );
    const ids = async (webhook: string, whose = '') =>
      (await ask(`{ requests(filter: { webhook: "${webhook}"${whose} }) { nodes { id } } }`)).map(({ id }) => id);
    expect(await ids('failed')).toEqual([place(5)]);
    expect(await ids('failed', ', allAccounts: true')).toEqual([place(5)]);
    expect(await ids('delivered')).toEqual([place(6)]);
    expect(await ids('pending')).toEqual([place(7)]);
    expect(await ids('skipped')).toEqual([]);
    const contextValue = { caller: CALLER } satisfies Context;
    const source = '{ requests(filter: { webhook: "lost" }) { nodes { id } } }';
    expect((await graphql({ schema, source, contextValue })).errors?.[0]?.message).toMatch(/^filter\.webhook: must be/);
  });

  it('finds those that are open, of one account and of all', async () => {
    await pool.query(
      `update ocr_request set status = 'queued', finished_at = null where id = 'ocr_00000000000000000000000009'`,
    );
    for (const whose of ['', ', allAccounts: true']) {
      const before = await read();
      const nodes = await ask(`{ requests(filter: { status: ["queued", "processing"]${whose} }) { nodes { id } } }`);
      expect(nodes).toEqual([{ id: 'ocr_00000000000000000000000009' }]);
      expect((await read()).rows - before.rows).toBeLessThan(100);
    }
  });
});
