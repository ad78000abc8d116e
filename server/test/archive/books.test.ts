import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { idAt, monthAhead, writeRows } from '../../../test/house/month-parts.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { archive } from '../../src/admin/archive.ts';
import { readConfig } from '../../src/platform/config.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const TOP_UP = 1_000_000;
const THIS_MONTH = monthAhead(0).toISOString().slice(0, 7);

/** Of three months ago: one that was read, one that failed and is charged at its provider's cost, one read in part. */
const PRICED = [
  { id: idAt(monthAhead(-3), 1), status: 'succeeded', kind: 'charge', cost: 10_000, paid: 4_000, pages: 1 },
  { id: idAt(monthAhead(-3), 2), status: 'failed', kind: 'provider_cost', cost: 4_100, paid: 4_100, pages: 0 },
  { id: idAt(monthAhead(-3), 3), status: 'partial', kind: 'charge', cost: 7_300, paid: 4_200, pages: 1 },
] as const;
const [READ, FAILED, PARTIAL] = PRICED;
const SPENT = READ.cost + FAILED.cost + PARTIAL.cost;
const OF_ARCHIVES = 'archives are as they were written';

const root = await mkdtemp(join(tmpdir(), 'ocr-router-archived-books-'));
afterAll(() => rm(root, { recursive: true, force: true }));

let url: string;
let folder: string;

beforeEach(async () => {
  url = await createDatabase();
  folder = await mkdtemp(join(root, 'archives-'));
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  await transfer({ kind: 'top_up', debit: 'cash', credit: 'wallet', amount: TOP_UP, requestId: null });
  for (const request of PRICED) await insertPriced(request);
  await writeRows(
    url,
    PRICED.map(({ id }) => id),
  );
  // What an archive leaves out stands beside what it keeps.
  const paidFor = `update attempt set cost = $1, usage = '{"said": "text"}', message = 'text' where request_id = $2`;
  for (const { id, paid } of PRICED) await runSql(url, paidFor, [paid, id]);
  await runSql(
    url,
    'insert into wallet (account_id, posted, held, spent, requests, pages) values ($1, $2, 0, $3, $4, 2)',
    [ACCOUNT, TOP_UP - SPENT, SPENT, PRICED.length],
  );
  // Counted long ago, whatever else the cluster does meanwhile.
  await runSql(url, `update attempt set recorded_xid = '3'`);
  await runSql(url, 'update roll_up_mark set recorded_before = pg_current_xact_id()');
});

async function insertPriced({ id, status, kind, cost, pages }: (typeof PRICED)[number]): Promise<void> {
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
       text_retained, preview, finished_at, created_at)
     values ($1, $2, 'a', 'a', 'sync', '{}', $3, $3, 10000, $4, $5, true, 'text', now(), now())`,
    [id, ACCOUNT, status, cost, pages],
  );
  const credit = kind === 'charge' ? 'revenue' : 'provider_cost';
  await transfer({ kind, debit: 'wallet', credit, amount: cost, requestId: id });
}

interface Transfer {
  readonly kind: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  readonly requestId: string | null;
}

async function transfer({ kind, debit, credit, amount, requestId }: Transfer): Promise<void> {
  await runSql(
    url,
    `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id) values ($1, $2, $3, $4, $5, $6)`,
    [ACCOUNT, kind, debit, credit, amount, requestId],
  );
}

const archiveAll = () =>
  archive(readConfig({ DATABASE_URL: url }), { before: THIS_MONTH, out: folder, deleteTexts: true });

async function doctor() {
  await using operator = await openHouseAdmin(url);
  return await operator.doctor({ full: true, archives: folder });
}

async function complaints(): Promise<readonly string[]> {
  const { ok, checks } = await doctor();
  const names = checks.filter((check) => !check.ok).map(({ name }) => name);
  expect(ok).toBe(names.length === 0);
  return names;
}

/** Without what tells of the archives themselves. */
const books = async () => (await doctor()).checks.filter(({ name }) => name !== OF_ARCHIVES);

const BALANCES = 'select posted, held, owed, spent, requests, pages from wallet';
const COSTS = 'select id, status, cost, pages from ocr_request order by id';

it('archiving moves rows that cost something, and no money', async () => {
  const before = { books: await books(), balances: await readSql(url, BALANCES), costs: await readSql(url, COSTS) };
  expect(await complaints()).toEqual([]);
  expect(before.books.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['a request costs what the ledger charged for it', 'usage by day equals its requests']),
  );
  const { archived } = await archiveAll();
  expect(archived.map(({ rows }) => rows).toSorted()).toEqual([0, PRICED.length, PRICED.length]);
  expect(await readSql(url, 'select from attempt')).toEqual([]);
  expect(await complaints()).toEqual([]);
  expect({ books: await books(), balances: await readSql(url, BALANCES), costs: await readSql(url, COSTS) }).toEqual(
    before,
  );
  const { rows, column } = await attemptsOf();
  expect(rows.map((row) => Number(row.split(',')[column('cost')]))).toEqual(PRICED.map(({ paid }) => paid));
});

it.each(PRICED)('the cost of a $status request is found when it was changed behind the archive', async ({ id }) => {
  await archiveAll();
  await runSql(url, 'update ocr_request set cost = cost + 1 where id = $1', [id]);
  expect(await complaints()).toEqual(['totals equal their rows', 'a request costs what the ledger charged for it']);
});

it('a cost that was changed in a file is found, though the file can be read', async () => {
  await archiveAll();
  const { path, text } = await attemptsOf();
  const changed = text.replace(String(PARTIAL.paid), String(PARTIAL.paid + 1));
  expect(changed).not.toBe(text);
  await writeFile(path, gzipSync(changed));
  expect(await complaints()).toEqual([OF_ARCHIVES]);
});

/** The file that has the attempts. */
async function attemptsOf() {
  const path = join(folder, `attempt_before_${THIS_MONTH.replace('-', '')}.csv.gz`);
  const text = gunzipSync(await readFile(path)).toString();
  const [head = '', ...rows] = text.trimEnd().split('\n');
  return { path, text, rows, column: (name: string) => head.split(',').indexOf(name) };
}
