import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { emptyDatabase } from '../../../test/house/empty-database.ts';
import { idAt } from '../../../test/house/month-parts.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { migrationScripts } from '../../src/database/migration-scripts.ts';
import { migrate } from '../../src/database/orm.ts';
import { upgrade } from '../../src/database/upgrade/upgrade.ts';

const ROWS = 2000;
const SCRIPT = {
  name: 'Migration29990101000000_test',
  statements: [
    'alter table ocr_request add column later text',
    'create index ocr_request_later_index on ocr_request (later) where later is not null',
    'create unique index attempt_later_index on attempt (request_id, number)',
    'create table later (id text)',
    'create index later_index on later (id)',
  ],
};
const NAMES = `'ocr_request_later_index', 'attempt_later_index', 'later_index'`;
const OPTIONS = { log: null, largeBytes: 8192, pauseMs: 50 };

let url: string;
let other: Client;

beforeEach(async () => {
  url = await createDatabase();
  other = new Client({ connectionString: url });
  other.on('error', () => undefined);
  await other.connect();
  await runSql(url, REQUESTS);
  await runSql(
    url,
    `insert into attempt (id, request_id, number, engine, outcome, billing)
     select 'att_' || substr(id, 5), id, 1, 'a', 'ok', 'settled' from ocr_request`,
  );
});
afterEach(() => other.end());

const REQUESTS = `
  insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, created_at, finished_at)
  select left(lowest_request_id(now()), 14) || lpad(n::text, 16, '0'), '00000000-0000-4000-8000-000000000001', 'a', 'a', 'sync', '{}',
    'succeeded', 'succeeded', 0, now(), now() from generate_series(1, ${ROWS}) n`;

const OLD_REQUEST = `
  insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, finished_at)
  values ('${idAt(new Date())}', '00000000-0000-4000-8000-000000000001', 'a', 'a', 'sync', '{}', 'succeeded', 'succeeded', 0, now())`;

async function indexes() {
  const rows = await readSql<{ name: string; valid: boolean }>(
    url,
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname in (${NAMES}) order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}

async function applied(): Promise<number> {
  return (await readSql(url, `select from mikro_orm_migrations where name = '${SCRIPT.name}'`)).length;
}

it('requests are written while an index of theirs is built, and parts of a table get theirs', async () => {
  // The build waits for the end of what was begun before it.
  await other.query('begin isolation level repeatable read');
  await other.query('update account set email = email');
  const upgrading = upgrade(url, [SCRIPT], OPTIONS);
  upgrading.catch(() => undefined);
  await until('the index is being built', async () => (await indexes())['ocr_request_later_index'] === false);
  await runSql(url, `set lock_timeout = '1s'; update ocr_request set later = 'x' where status = 'succeeded'`);
  expect(await applied()).toBe(1);
  await other.query('commit');
  await upgrading;
  expect(await indexes()).toEqual({ attempt_later_index: true, later_index: true, ocr_request_later_index: true });
  expect(await readSql(url, `select to_regclass('index_build') as t`)).toEqual([{ t: null }]);
});

it('an upgrade that was broken off goes on at the next start', async () => {
  await other.query('begin isolation level repeatable read');
  await other.query('select count(*) from ocr_request');
  await other.query('update account set email = email');
  const upgrading = upgrade(url, [{ ...SCRIPT, statements: SCRIPT.statements.slice(1, 2).map(without) }], OPTIONS);
  const broken = upgrading.then(
    () => null,
    (error: unknown) => error,
  );
  await until('the index is there, and not valid', async () => (await indexes())['ocr_request_later_index'] === false);
  await runSql(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ocr-router migration' and datname = current_database()`,
  );
  expect(await broken).toBeInstanceOf(Error);
  await other.query('commit');
  expect((await indexes())['ocr_request_later_index']).toBe(false);
  await migrate(url);
  expect((await indexes())['ocr_request_later_index']).toBe(true);
});

/** Without the column that it would need. */
function without(statement: string): string {
  return statement.replaceAll('later is not null', 'true').replace('(later)', '(created_at)');
}

it('a table that somebody has locked is waited for briefly, again and again, and others come between', async () => {
  await other.query('begin');
  await other.query('lock table ocr_request in access share mode');
  const upgrading = upgrade(url, [SCRIPT], OPTIONS);
  upgrading.catch(() => undefined);
  await until('the migration waits', async () => {
    const waiting = await readSql(url, `select from pg_locks where not granted and mode = 'AccessExclusiveLock'`);
    return waiting.length > 0;
  });
  const began = performance.now();
  await runSql(url, `set lock_timeout = '5s'; update ocr_request set preview = null where false`);
  expect(performance.now() - began).toBeLessThan(5000);
  await other.query('commit');
  await upgrading;
  expect(await applied()).toBe(1);
});

it('the schema of an upgrade is that of a new database', async () => {
  const { url: old } = await emptyDatabase(await createDatabase());
  const [first, ...others] = await migrationScripts(old);
  await runSql(
    old,
    [...(first?.statements ?? []), `insert into mikro_orm_migrations (name) values ('${first?.name}')`].join(';\n'),
  );
  await runSql(old, OLD_REQUEST);
  await upgrade(old, others, { ...OPTIONS, largeBytes: 1 });
  const shape = `
    select c.conrelid::regclass::text as of, c.conname as name, pg_get_constraintdef(c.oid) as text, c.convalidated as valid
    from pg_constraint c where c.connamespace = 'public'::regnamespace
    union all
    select indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisvalid from pg_index
    where indrelid::regclass::text !~ '^pg_' order by 1, 2, 3`;
  expect(await readSql(old, shape)).toEqual(await readSql(url, shape));
});
