import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { DIVIDED, idAt, monthAhead, partName, partsOf, writeRows } from '../../../test/house/month-parts.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { archive } from '../../src/admin/archive.ts';
import { backup } from '../../src/admin/backup.ts';
import { readConfig } from '../../src/platform/config.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const THIS_MONTH = monthAhead(0);
const BEFORE = THIS_MONTH.toISOString().slice(0, 7);
const END = BEFORE.replace('-', '');
const NUMBER = 700;
/** Of the year before, and one of this month. */
const old = Array.from({ length: NUMBER }, (_, n) => idAt(new Date(THIS_MONTH.getTime() - (n + 1) * 6 * 3_600_000), n));
const young = idAt(new Date(THIS_MONTH.getTime() + 1));

const root = await mkdtemp(join(tmpdir(), 'ocr-router-archive-'));
afterAll(() => rm(root, { recursive: true, force: true }));

let url: string;
let folder: string;

beforeEach(async () => {
  url = await createDatabase();
  folder = join(root, `archives-${Math.random().toString(36).slice(2)}`);
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  await runSql(url, 'insert into wallet (account_id, requests) values ($1, $2)', [ACCOUNT, NUMBER + 1]);
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, text_retained, preview,
       finished_at, created_at)
     select id, $1, 'a', 'a', 'sync', '{}', 'succeeded', 'succeeded', 0, true, 'text', now(), now() from unnest($2::text[]) id`,
    [ACCOUNT, [...old, young]],
  );
  await writeRows(url, [...old, young]);
  await runSql(url, `update attempt set usage = '{"said": "text"}', message = 'text'`);
  await runSql(url, 'update roll_up_mark set recorded_before = pg_current_xact_id()');
});

const run = (more: { before?: string; deleteTexts?: boolean } = {}) =>
  archive(readConfig({ DATABASE_URL: url }), { before: BEFORE, out: folder, ...more });
const fileOf = (table: string) => `${table}_before_${END}.csv.gz`;
const linesOf = async (file: string) =>
  gunzipSync(await readFile(join(folder, file)))
    .toString()
    .trimEnd()
    .split('\n');

async function doctor() {
  await using operator = await openHouseAdmin(url);
  return await operator.doctor({ full: true, archives: folder });
}

const archives = async () => (await doctor()).checks.find(({ name }) => name === 'archives are as they were written');

/** Waits for the roll-up’s rule: what was counted came before every transaction that runs. */
const countAll = () =>
  until('all attempts are counted', async () => {
    await runSql(url, 'update roll_up_mark set recorded_before = pg_current_xact_id()');
    const [row] = await readSql<{ open: boolean }>(
      url,
      'select exists (select from attempt where recorded_xid >= (select recorded_before from roll_up_mark)) as open',
    );
    return row?.open === false;
  });

it('moves what is over to files that hold no text, and leaves requests and books as they were', async () => {
  const { archived, requests_deleted } = await run({ deleteTexts: true });
  expect(requests_deleted).toBe(NUMBER);
  expect(archived.map(({ file, rows }) => [file, rows]).toSorted()).toEqual([
    [fileOf('attempt'), NUMBER],
    [fileOf('ocr_page'), NUMBER],
    [fileOf('page_layout'), 0],
  ]);
  for (const { file, sha256, bytes } of archived) {
    const contents = await readFile(join(folder, file));
    expect(createHash('sha256').update(contents).digest('hex')).toBe(sha256);
    expect([contents.length, (await stat(join(folder, file))).mode & 0o777]).toEqual([bytes, 0o600]);
  }
  expect((await readdir(folder)).toSorted()).toEqual(archived.map(({ file }) => file).toSorted());
  const [head, ...rows] = await linesOf(fileOf('ocr_page'));
  expect(head).toMatch(/^request_id,number,engine,/);
  expect(rows.map((row) => row.split(',')[0])).toEqual(old.toSorted());
  for (const table of DIVIDED) expect((await linesOf(fileOf(table))).join('\n')).not.toContain('text of');
  expect((await linesOf(fileOf('attempt'))).join('\n')).not.toContain('said');
  for (const table of DIVIDED) {
    expect(await partsOf(url, table)).toEqual({ [young]: partName(table, THIS_MONTH) });
    expect(await readSql(url, `select to_regclass('${table}_before')::text as found`)).toEqual([{ found: null }]);
  }
  expect(await readSql(url, `select text from ocr_page`)).toEqual([{ text: `text of ${young}` }]);
  expect(await readSql(url, 'select count(*)::int as n, count(deleted_at)::int as deleted from ocr_request')).toEqual([
    { n: NUMBER + 1, deleted: NUMBER },
  ]);
  expect(await doctor()).toMatchObject({ ok: true });
  expect(await archives()).toEqual({ name: 'archives are as they were written', ok: true, detail: '3 files' });
  expect(await run()).toEqual({ archived: [], requests_deleted: 0 });
  // What still comes of an archived month is kept.
  const [late = ''] = old;
  await writeRows(url, [late]);
  expect((await partsOf(url, 'ocr_page'))[late]).toBe('ocr_page_default');
});

it('tells a file that is not as it was written, and one that is missing', async () => {
  await run({ deleteTexts: true });
  const path = join(folder, fileOf('attempt'));
  const contents = await readFile(path);
  contents.writeUInt8(contents.readUInt8(contents.length - 20) ^ 1, contents.length - 20);
  await writeFile(path, contents);
  await rm(join(folder, fileOf('page_layout')));
  expect(await archives()).toMatchObject({ ok: false, detail: expect.stringContaining(fileOf('attempt')) });
  expect(await archives()).toMatchObject({ detail: expect.stringContaining(fileOf('page_layout')) });
  expect(await archives()).not.toMatchObject({ detail: expect.stringContaining(fileOf('ocr_page')) });
});

it('takes nothing of which an account keeps the text, nothing that is open, pending or not counted', async () => {
  await expect(run()).rejects.toThrow(/700 of its requests keep what they read.*--delete-texts/);
  await runSql(url, `update ocr_request set status = 'queued', finished_at = null where id = $1`, [old[5]]);
  await expect(run({ deleteTexts: true })).rejects.toThrow(/a request of it has not ended/);
  await runSql(url, `update ocr_request set status = 'succeeded', finished_at = now() where id = $1`, [old[5]]);
  await runSql(url, `update attempt set billing = 'pending' where request_id = $1`, [old[5]]);
  await expect(run({ deleteTexts: true })).rejects.toThrow(/costs of it are pending/);
  await runSql(
    url,
    `update attempt set billing = 'verified', recorded_xid = pg_current_xact_id() where request_id = $1`,
    [old[5]],
  );
  await expect(run({ deleteTexts: true })).rejects.toThrow(/attempts of it are not counted yet/);
  for (const before of ['2026', '2026-13', '2026-1']) await expect(run({ before })).rejects.toThrow(/must be a month/);
  await expect(run({ before: '2999-01' })).rejects.toThrow(/future/);
  expect(await readdir(folder)).toEqual([]);
  expect(await readSql(url, 'select count(*)::int as n from ocr_page where text is not null')).toEqual([
    { n: NUMBER + 1 },
  ]);
  await countAll();
  expect((await run({ deleteTexts: true })).archived).toHaveLength(3);
});

it('overwrites no file of another database', async () => {
  await run({ before: '2001-01' }); // makes the folder
  await writeFile(join(folder, fileOf('attempt')), 'of another one');
  await expect(run({ deleteTexts: true })).rejects.toThrow(/a file with its name is there/);
  expect(await readFile(join(folder, fileOf('attempt')), 'utf8')).toBe('of another one');
});

it('finishes what was broken off, and no backup is made in between', async () => {
  const file = join(root, `${Math.random().toString(36).slice(2)}.tar.gz`);
  // As if the process had ended behind the first step, the second time behind its file.
  await runSql(url, 'alter table attempt detach partition attempt_before');
  const bound = idAt(THIS_MONTH);
  await runSql(
    url,
    `insert into archived_part (table_name, part, low, high) values ('attempt', 'attempt_before', '', $1)`,
    [bound],
  );
  await expect(backup(readConfig({ DATABASE_URL: url }), file)).rejects.toThrow(/attempt_before is being archived/);
  expect(await archives()).toMatchObject({ ok: false, detail: expect.stringContaining('attempt_before') });
  await run({ before: '2001-01' });
  expect((await linesOf(fileOf('attempt'))).length).toBe(NUMBER + 1);
  expect((await linesOf(fileOf('attempt'))).join('\n')).not.toContain('said');
  expect(await archives()).toMatchObject({ ok: true, detail: '1 file' });
  expect(await backup(readConfig({ DATABASE_URL: url }), file)).toMatchObject({ file });
});

it('waits for who uses the table, and keeps nobody from it', async () => {
  const reader = new Client({ connectionString: url });
  await reader.connect();
  try {
    await reader.query('begin');
    await reader.query('select count(*) from attempt');
    let isOver = false;
    const ended = run({ deleteTexts: true }).finally(() => {
      isOver = true;
    });
    await until('it waits for the table', async () => {
      const waiting = `select 1 from pg_locks where not granted and relation = 'attempt'::regclass`;
      return (await readSql(url, waiting)).length > 0;
    });
    await writeRows(url, [idAt(new Date(THIS_MONTH.getTime() + 2))]);
    expect(isOver).toBe(false);
    await reader.query('commit');
    expect((await ended).archived).toHaveLength(3);
  } finally {
    await reader.end();
  }
});
