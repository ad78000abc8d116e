import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { readMetrics } from '../../../test/house/metrics.ts';
import { DIVIDED, monthAhead, partName } from '../../../test/house/month-parts.ts';
import { startProduct } from '../../../test/house/product.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { readConfig } from '../../src/platform/config.ts';
import { archivedIds, fillMonths, idsOf, PER_MONTH, storedIds } from './old-months.ts';

/** Whole months that stay beside this one. */
const AFTER = 1;
const MONTHS = [-3, -2, -1, 0];
const OVER = [...idsOf(-3), ...idsOf(-2)].toSorted();
const YOUNG = [...idsOf(-1), ...idsOf(0)].toSorted();

const root = await mkdtemp(join(tmpdir(), 'ocr-router-archive-job-'));
afterAll(() => rm(root, { recursive: true, force: true }));

let url: string;
let folder: string;

beforeEach(async () => {
  url = await createDatabase();
  folder = join(root, Math.random().toString(36).slice(2));
  await fillMonths(url, MONTHS);
});

const start = (env: Readonly<Record<string, string>> = { ARCHIVE_DELETE_TEXTS: 'true' }) =>
  startProduct({
    databaseUrl: url,
    env: { LOG_LEVEL: 'info', ARCHIVE_AFTER_MONTHS: String(AFTER), ARCHIVE_DIR: folder, ...env },
  });

const written = () => readSql<{ part: string; file: string | null }>(url, 'select part, file from archived_part');

/** Three parts of what was before, of the oldest month and of the next one. */
const untilArchived = (parts = 9) =>
  until(`${parts} parts are archived`, async () => {
    const found = await written();
    return found.length >= parts && found.every(({ file }) => file !== null);
  });

async function expectEachRowOnce(): Promise<void> {
  for (const table of DIVIDED) {
    const [stored, archived] = [await storedIds(url, table), await archivedIds(folder, table)];
    expect(stored, table).toEqual(YOUNG);
    // Layouts go with the texts.
    expect(archived, table).toEqual(table === 'page_layout' ? [] : OVER);
  }
  expect((await readdir(folder)).filter((name) => !name.endsWith('.csv.gz'))).toEqual([]);
  await using operator = await openHouseAdmin(url);
  expect(await operator.doctor({ full: true, archives: folder })).toMatchObject({ ok: true });
}

it('a worker moves months that are older than the setting to files, one process for all', async () => {
  await using first = await start();
  await using second = await start();
  await untilArchived();
  await expectEachRowOnce();
  const lines = `${first.logs()}\n${second.logs()}`.split('\n').filter((line) => line.includes('a month was archived'));
  expect(lines).toHaveLength(9);
  const counted = await Promise.all(
    [first, second].map(async ({ url: at }) => readMetrics(await (await fetch(`${at}/metrics`)).text())),
  );
  const rows = (table: string) =>
    counted.reduce((sum, metrics) => sum + (metrics.value('ocr_archived_rows_total', { table }) ?? Number.NaN), 0);
  expect([rows('attempt'), rows('ocr_page'), rows('page_layout')]).toEqual([2 * PER_MONTH, 2 * PER_MONTH, 0]);
});

it('leaves a month of which a request keeps its text, says why, and takes the others', async () => {
  await runSql(url, `update ocr_request set deleted_at = now() where id = any($1)`, [idsOf(-2)]);
  await using product = await start({});
  await untilArchived(6);
  const kept = partName('attempt', monthAhead(-3));
  await until('it says why', () => product.logs().includes('a month that is over stays in the database'));
  expect(product.logs()).toMatch(new RegExp(`${kept} is not archived: 30 of its requests keep.*ARCHIVE_DELETE_TEXTS`));
  expect(product.logs()).not.toContain(partName('ocr_page', monthAhead(-3)));
  expect(await storedIds(url, 'attempt')).toEqual([...idsOf(-3), ...YOUNG].toSorted());
  expect(await archivedIds(folder, 'attempt')).toEqual(idsOf(-2));
  expect(await readSql(url, 'select count(text)::int as n from ocr_page')).toEqual([{ n: 3 * PER_MONTH }]);
});

/** Where a run is held up: behind the detachment of a part, and when its file is there. */
const HELD_AT = [
  { where: 'behind the detachment', table: () => partName('attempt', monthAhead(-3)) },
  { where: 'behind the file', table: () => 'archived_part' },
];

it.each(HELD_AT)('a process that is killed $where loses no row and keeps none twice', async ({ table }) => {
  const gate = await closeGate(table());
  await using killed = await start();
  await gate.reached();
  await killed.kill();
  const [begun] = (await written()).filter(({ file }) => file === null);
  expect(await readSql(url, `select to_regclass('${begun?.part}') is not null as there`)).toEqual([{ there: true }]);
  await gate.open();
  await using _again = await start();
  await untilArchived();
  await expectEachRowOnce();
});

it('a stop waits for no archive, and the next start goes on', async () => {
  const gate = await closeGate(partName('attempt', monthAhead(-3)));
  await using stopped = await start();
  await gate.reached();
  await stopped.stop();
  expect(stopped.end).toBe(0);
  expect((await written()).filter(({ file }) => file === null)).toHaveLength(1);
  await gate.open();
  await using _again = await start();
  await untilArchived();
  await expectEachRowOnce();
});

it('says that only the owner of the tables can archive', async () => {
  const role = `reader_${Math.random().toString(36).slice(2)}`;
  await runSql(url, `create role ${role} login password '${role}'`);
  await runSql(url, `grant select, insert, update, delete on all tables in schema public to ${role}`);
  await runSql(url, `grant usage on all sequences in schema public to ${role}`);
  const limited = Object.assign(new URL(url), { username: role, password: role }).href;
  await using product = await start({ DATABASE_URL: limited });
  await until('it says so', () => product.logs().includes('the role of DATABASE_URL does not own the tables'));
  expect(await written()).toEqual([]);
});

it('wants a folder, and at least a month', () => {
  expect(() => readConfig({ ARCHIVE_AFTER_MONTHS: '3' })).toThrow(/ARCHIVE_DIR: is needed with ARCHIVE_AFTER_MONTHS/);
  expect(() => readConfig({ ARCHIVE_AFTER_MONTHS: '0', ARCHIVE_DIR: '/archives' })).toThrow(/ARCHIVE_AFTER_MONTHS/);
  expect(readConfig({}).archive).toBe(null);
  expect(readConfig({ ARCHIVE_AFTER_MONTHS: '3', ARCHIVE_DIR: '/archives' }).archive).toEqual({
    afterMonths: 3,
    folder: '/archives',
    deleteTexts: false,
  });
});

/** Holds up whoever updates a table, until it is opened. */
async function closeGate(table: string) {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query(`
    create function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4242); return null; end $$`);
  await holder.query(
    `create trigger gate before update on ${table} for each statement execute function wait_at_gate()`,
  );
  await holder.query('select pg_advisory_lock(4242)');
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = 4242 and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  return {
    reached: () => until('it waits at the gate', async () => (await holder.query(waiting)).rowCount === 1),
    open: () => holder.end(),
  };
}
