import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { DIVIDED, idAt, monthAhead, partName, writeRows } from '../../../test/house/month-parts.ts';
import { runSql } from '../../../test/house/sql.ts';
import type { Context } from '../../src/accounts/callers/context.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import type { Catalogue } from '../../src/engines/catalogue.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { ReadPages } from '../../src/requests/output/read-pages.ts';
import { PositionTurns } from '../../src/requests/places/position-turns.ts';
import { RequestLookup } from '../../src/requests/store/find.ts';
import { forgetRequest, purgeTexts } from '../../src/requests/store/forget.ts';
import { LargeRequestPages } from '../../src/requests/store/large-request-pages.ts';
import { requestLoaders } from '../../src/requests/store/request-loaders.ts';
import { StoredPages } from '../../src/requests/store/stored-pages.ts';
import { TextTurns } from '../../src/requests/store/texts/text-turns.ts';
import { ArchiveStream } from '../../src/usage/export/archive-stream.ts';
import { writeExport } from '../../src/usage/export/write-export.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const MONTH = monthAhead(0);
const ids = [0, 1, 2].map((n) => idAt(MONTH, n));
const [id = ''] = ids;

interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const seen = new Map<string, Prepared>();
let pool: Pool;
/** Writes down what is asked through it. */
let noting: Pool;

beforeAll(async () => {
  const url = await createDatabase();
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  await runSql(url, 'insert into wallet (account_id) values ($1)', [ACCOUNT]);
  await runSql(
    url,
    `insert into ocr_request (id, account_id, idempotency_key, job_id, requested_engine, engine, mode, effective, status, outcome, hold,
       text_retained, finished_at)
     select id, $1, 'key-' || id, 'job_' || substr(id, 5), 'a', 'a', 'sync', '{}', 'succeeded', 'succeeded', 0, true, now()
     from unnest($2::text[]) id`,
    [ACCOUNT, ids],
  );
  await writeRows(url, ids);
  pool = openPool(url, { max: 1, log: makeLog('silent') });
  noting = Object.assign(Object.create(pool), {
    ask: (prepared: Prepared) => {
      seen.set(prepared.name, prepared);
      return pool.ask({ ...prepared, values: [...prepared.values] });
    },
  }) as Pool;
});
afterAll(() => pool.end());

/** What the service reads of requests whose ids it has. */
const READS = [
  'requests-by-id',
  'pages-of-requests',
  'attempts-of-requests',
  'layouts-of-requests',
  'lines-of-requests',
  'tables-of-requests',
  'pages-of-request',
  'what-files-are-made-of',
  'pages-for-files',
  'job-pages-progress',
  'job-pages-done',
  'export-pages',
];

it('what is read of requests is looked for in their month alone, however many there are', async () => {
  const lookup = new RequestLookup(noting);
  expect((await lookup.byId(id))?.text).toBe(`text of ${id}`);
  expect((await lookup.byKey(ACCOUNT, `key-${id}`))?.id).toBe(id);
  expect((await lookup.byJob(`job_${id.slice(4)}`))?.id).toBe(id);
  expect(await lookup.byJob('job_none')).toBe(null);
  const loaders = requestLoaders(noting, {
    positions: new PositionTurns({ hasOthers: () => false }),
    texts: { pool: noting, turns: new TextTurns() },
  })({} as Context); // only what tells one answer from the next
  expect(await loaders.pages.loadMany(ids)).toMatchObject(ids.map((one) => [{ text: `text of ${one}` }]));
  expect(await loaders.attempts.loadMany(ids)).toMatchObject(ids.map(() => [{ engine: 'a' }]));
  expect((await loaders.layouts.load(id)).get(1)).toMatchObject({ width: 10 });
  await loaders.lines.load({ requestId: id, number: 1 });
  await loaders.tables.load({ requestId: id, number: 1 });
  expect(
    await new StoredPages(noting, { pool: noting, turns: new TextTurns() }).slice(id, {
      size: 5,
      skipped: 0,
      party: '',
    }),
  ).toMatchObject({
    total: 1,
  });
  const files = new ReadPages(noting, new PositionTurns({ hasOthers: () => false }));
  expect((await files.facts(ids)).size).toBe(3);
  const pages = [];
  for await (const page of files.of({ id, accountId: ACCOUNT }, null)) pages.push(page.text);
  expect(pages).toEqual([`text of ${id}`]);
  expect(await new LargeRequestPages(noting, {} as Catalogue).progress(id)).toEqual({ done: 1, failed: [] }); // asks for no engine
  const archive = new ArchiveStream();
  archive.readable.resume();
  expect((await writeExport(noting, ACCOUNT, archive))['requests']).toBe(3);

  const plans = await withClient(async (client) => {
    const found: Record<string, string[]> = {};
    for (const name of READS) found[name] = scannedParts(await planOf(client, name, 'explain (costs off)'));
    return found;
  });
  for (const name of READS) {
    const tables = DIVIDED.filter((table) => new RegExp(`\\b${table}\\b`).test(seen.get(name)?.text ?? ''));
    expect(tables.length, name).toBeGreaterThan(0);
    expect(plans[name], name).toEqual(tables.map((table) => partName(table, MONTH)).toSorted());
  }
});

it('a deletion looks into the months of what it deletes alone', async () => {
  await forgetRequest(noting, id);
  await runSql(String(pool.options.connectionString), 'insert into text_purge (account_id) values ($1)', [ACCOUNT]);
  await purgeTexts(noting, ACCOUNT);
  for (const name of ['request-delete', 'text-purge']) {
    const plan = await withClient(async (client) => {
      await client.query('begin');
      await client.query(`update account set history = false where id = '${ACCOUNT}'`);
      await client.query('delete from text_purge');
      await client.query(`insert into text_purge (account_id) values ('${ACCOUNT}')`);
      await client.query(`update ocr_page set text = 'again' where request_id = any('{${ids.join(', ')}}')`);
      const answer = await planOf(client, name, 'explain (analyze, costs off, timing off, summary off)');
      await client.query('rollback');
      return answer;
    });
    const scans = plan.split('\n').filter((line) => /Scan .*on (ocr_page|attempt|page_layout)_\w+/.test(line));
    const executed = scans.filter((line) => !line.includes('(never executed)'));
    expect(executed.length, plan).toBeGreaterThan(0);
    for (const line of executed) expect(line).toContain(`_${partName('', MONTH).slice(1)}`);
  }
});

async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release(true);
  }
}

/** The plan of a statement with the values that it was sent with, as the service has it planned: once for all values. */
async function planOf(client: PoolClient, name: string, explain: string): Promise<string> {
  const { text, values } = seen.get(name) ?? { text: `'${name}' was not sent`, values: [] };
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare "planned ${name}" as ${text}`);
  const given = values.map((value) => literal(client, value)).join(', ');
  const { rows } = await client.query(`${explain} execute "planned ${name}" (${given})`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

function literal(client: PoolClient, value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.join(', ')}}`);
  return client.escapeLiteral(String(value));
}

/** Parts of the divided tables that a plan would look into. */
function scannedParts(plan: string): string[] {
  const found = [...plan.matchAll(/ on ((?:ocr_page|attempt|page_layout)_(?:\d{6}|before|default))(?!\w)/g)].map(
    ([, part = '']) => part,
  );
  return [...new Set(found)].toSorted();
}
