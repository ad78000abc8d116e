import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { emptyDatabase } from '../../../test/house/empty-database.ts';
import { DIVIDED, idAt, monthAhead, partName, partsOf, writeRows } from '../../../test/house/month-parts.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { migrationScripts } from '../../src/database/migration-scripts.ts';
import { dividedTables } from '../../src/database/months/month-parts.ts';
import { divideRequests } from '../../src/database/months/months.job.ts';
import { migrate } from '../../src/database/orm.ts';
import { isOutage, isTooSlow } from '../../src/database/outage.ts';
import { openPool } from '../../src/database/pool.ts';
import { lowestId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const MONTHS_MIGRATION = 'Migration20261123160000_months';
const OLD_ROWS = 400;
/** As a process of the release before prepared them. */
const OLD_INSERT = {
  name: 'old-insert',
  text: `with item as (select $1::text as id),
    pages as (insert into ocr_page (request_id, number, engine, source, state, text) select id, 1, 'a', 'engine', 'read', 'old' from item)
    insert into attempt (id, request_id, number, engine, outcome, billing) select 'att_' || substr(id, 5), id, 1, 'a', 'ok', 'pending' from item`,
};
const OLD_VERIFY = {
  name: 'old-verify',
  text: `update attempt set billing = 'verified' where id = $1 and billing = 'pending'`,
};
const OLD_PAGES = { name: 'old-pages', text: 'select * from ocr_page where request_id = any($1::text[]) order by 1' };

/** The files in which PostgreSQL has the tables. */
const FILES = `select relname as name, pg_relation_filenode(oid)::int as file from pg_class where relname ~ '^(ocr_page|attempt|page_layout)(_before)?$' and relkind = 'r'`;

let url: string;
let serviceUrl: string;
let nth = 0;

const oldIds = Array.from({ length: OLD_ROWS }, (_, n) => idAt(new Date(Date.now() - n * 6 * 3_600_000), n));
const newId = () => idAt(new Date(), 1_000_000 + nth++);

/** A database of the release before, with rows, and a role for the service that owns nothing. */
async function databaseOfBefore(): Promise<string> {
  const { url: made } = await emptyDatabase(await createDatabase());
  const scripts = await migrationScripts(made);
  const until = scripts.findIndex(({ name }) => name === MONTHS_MIGRATION);
  const client = new Client({ connectionString: made });
  await client.connect();
  try {
    await client.query('begin');
    for (const { name, statements } of scripts.slice(0, until)) {
      for (const statement of statements) await client.query(statement);
      await client.query('insert into mikro_orm_migrations (name) values ($1)', [name]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
  await writeRows(made, oldIds);
  return made;
}

/** Every step, as a worker takes them: a table that is locked is tried again. */
async function steps(of = url): Promise<string[]> {
  const taken: string[] = [];
  for (let isOver = false; !isOver; ) {
    isOver = await divideRequests(of, { onStep: (step) => void taken.push(step) }).then(
      () => true,
      (error: unknown) => {
        if (!isTooSlow(error)) throw error;
        return false;
      },
    );
  }
  return taken;
}

async function state() {
  const pool = openPool(serviceUrl, { max: 1, log: makeLog('silent'), kind: 'background' });
  try {
    return await dividedTables(pool);
  } finally {
    await pool.end();
  }
}

async function countOf(table: string): Promise<number> {
  const [row] = await readSql<{ n: number }>(url, `select count(*)::int as n from ${table}`);
  return row?.n ?? 0;
}

beforeAll(async () => {
  url = await databaseOfBefore();
  const role = `service_${randomBytes(8).toString('hex')}`;
  await runSql(url, `create role ${role} login password '${role}'`);
  await runSql(url, `grant usage on schema public to ${role}`);
  await runSql(url, `grant select, insert, update, delete on all tables in schema public to ${role}`);
  const changed = new URL(url);
  changed.username = role;
  changed.password = role;
  serviceUrl = changed.href;
});

it('an upgrade keeps the files of the tables, and a process of the release before goes on', async () => {
  const old = new Client({ connectionString: serviceUrl });
  await old.connect();
  try {
    const before = await readSql<{ name: string; file: number }>(url, FILES);
    const id = newId();
    await old.query({ ...OLD_INSERT, values: [id] });
    await old.query({ ...OLD_PAGES, values: [[id]] });
    await migrate(url);
    const after = await readSql<{ name: string; file: number }>(url, FILES);
    expect(after.toSorted((a, b) => a.file - b.file)).toEqual(
      before.map(({ name, file }) => ({ name: `${name}_before`, file })).toSorted((a, b) => a.file - b.file),
    );
    // And each index of before is the one of its part: none was made anew.
    const indexes = `select indexrelid::regclass::text as name from pg_index where indrelid = 'attempt_before'::regclass order by 1`;
    expect((await readSql<{ name: string }>(url, indexes)).map(({ name }) => name)).toEqual([
      'attempt_before_engine_index',
      'attempt_before_pending_index',
      'attempt_before_pkey',
      'attempt_before_request_id_index',
    ]);
    const next = newId();
    await old.query({ ...OLD_INSERT, values: [next] });
    expect((await old.query({ ...OLD_VERIFY, values: [`att_${next.slice(4)}`] })).rowCount).toBe(1);
    const { rows } = await old.query({ ...OLD_PAGES, values: [[id, next, oldIds[7]]] });
    expect(rows).toHaveLength(3);
    expect(await state()).toEqual(DIVIDED.map((name) => ({ name, divided: false, ahead: 0, outside: 0 })));
  } finally {
    await old.end();
  }
});

it('a bound that comes near before the table was read refuses rows as an outage does, and is taken away', async () => {
  const soon = lowestId('ocr_', new Date(Date.now() + 10 * 86_400_000));
  await runSql(
    url,
    `alter table ocr_page_before add constraint ocr_page_before_bound check (request_id < '${soon}') not valid`,
  );
  const late = idAt(new Date(Date.now() + 11 * 86_400_000));
  const refused = await writeRows(url, [late]).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: '23514', constraint: 'ocr_page_before_bound' });
  expect(isOutage(refused)).toBe(true);
  const client = new Client({ connectionString: serviceUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select divide_requests() as step');
    expect(rows).toEqual([{ step: 'ocr_page_before is not bounded any more' }]);
  } finally {
    await client.end();
  }
});

it('the service, which owns no table, divides them while both releases write, and no row is lost', async () => {
  const rows = { page: await countOf('ocr_page'), attempt: await countOf('attempt') };
  const old = new Client({ connectionString: serviceUrl });
  await old.connect();
  let isOver = false;
  let written = 0;
  const load = (async () => {
    while (!isOver) {
      await old.query({ ...OLD_INSERT, values: [newId()] });
      written++;
    }
  })();
  const taken = await steps(serviceUrl).finally(() => {
    isOver = true;
  });
  await load;
  await old.end();
  const bound = lowestId('ocr_', monthAhead(3));
  expect(taken).toEqual(
    DIVIDED.flatMap((table) => [
      `${table}_before is bounded`,
      `${table}_before is read`,
      `${table}_before ends before ${bound}`,
      `${partName(table, monthAhead(3))} is made`,
    ]),
  );
  expect(await steps(serviceUrl)).toEqual([]);
  expect(written).toBeGreaterThan(0);
  expect(await countOf('ocr_page')).toBe(rows.page + written);
  expect(await countOf('attempt')).toBe(rows.attempt + written);
  expect(await countOf('page_layout')).toBe(OLD_ROWS);
  expect(await state()).toEqual(DIVIDED.map((name) => ({ name, divided: true, ahead: 3, outside: 0 })));
  expect(await readSql(url, `select 1 from pg_constraint where conname like '%bound'`)).toEqual([]);
  const then = idAt(monthAhead(3), 5);
  await writeRows(url, [then]);
  for (const table of DIVIDED) {
    expect((await partsOf(url, table))[then]).toBe(partName(table, monthAhead(3)));
    expect((await partsOf(url, table))[String(oldIds[0])]).toBe(`${table}_before`);
  }
});

it('nobody else may: neither what runs as the owner, nor the tables themselves', async () => {
  const role = `stranger_${randomBytes(8).toString('hex')}`;
  await runSql(url, `create role ${role} login password '${role}'`);
  const stranger = new URL(url);
  stranger.username = role;
  stranger.password = role;
  const refusal = (of: string, sql: string) => runSql(of, sql).then(String, (error: { code?: string }) => error.code);
  expect(await refusal(stranger.href, 'select divide_requests()')).toBe('42501');
  expect(await refusal(stranger.href, `select make_month('ocr_page', '2099-01-01')`)).toBe('42501');
  expect(await refusal(serviceUrl, `select make_month('ocr_page', '2099-01-01')`)).toBe('42501');
  expect(await refusal(serviceUrl, 'drop table ocr_page_default')).toBe('42501');
  expect(await refusal(serviceUrl, 'alter table ocr_page detach partition ocr_page_default')).toBe('42501');
});

it('small tables without rows are divided at once', async () => {
  const other = await databaseOfBefore();
  await runSql(other, 'delete from page_layout');
  await migrate(other);
  const layouts = (await steps(other)).filter((step) => step.startsWith('page_layout'));
  expect(layouts[0]).toBe(`page_layout_before ends before ${lowestId('ocr_', monthAhead(0))}`);
  expect(layouts.slice(1)).toEqual(
    [0, 1, 2, 3].map((ahead) => `${partName('page_layout', monthAhead(ahead))} is made`),
  );
});
