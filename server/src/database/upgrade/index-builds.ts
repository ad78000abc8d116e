import type { Client } from 'pg';
import type { Log } from '../../platform/logging/log.ts';

/** An index that is still to be built. */
export interface IndexBuild {
  readonly name: string;
  /** The part of `create index` from `on` on. */
  readonly definition: string;
  readonly isUnique: boolean;
  /** The index of the divided table that this one becomes a part of; null for one of an undivided table. */
  readonly whole: string | null;
}

/** Longest wait for old snapshots, behind which nothing waits. */
const LOCK_TIMEOUT = '30min';

/** The table of indexes to be built. It exists while a database is being upgraded, and while an index is missing. */
const TABLE = 'index_build';

/** Whether an upgrade ended before its indexes were built. */
export async function isMissingIndexes(ask: (text: string) => Promise<{ missing: boolean }[]>): Promise<boolean> {
  const [row] = await ask(`select to_regclass('${TABLE}') is not null as missing`);
  return row?.missing ?? false;
}

export async function openBuilds(client: Client): Promise<void> {
  await client.query(`create table if not exists ${TABLE} (
    id integer primary key generated always as identity, name text not null, definition text not null, is_unique boolean not null, whole text)`);
}

/** Drops the table, because every index is built. */
export async function closeBuilds(client: Client): Promise<void> {
  await client.query(`drop table ${TABLE}`);
}

export async function noteBuilds(client: Client, builds: readonly IndexBuild[]): Promise<void> {
  for (const { name, definition, isUnique, whole } of builds) {
    const text = `insert into ${TABLE} (name, definition, is_unique, whole) values ($1, $2, $3, $4)`;
    await client.query(text, [name, definition, isUnique, whole]);
  }
}

/** Builds the noted indexes, one after the other. The remains of a build that was broken off are dropped first. */
export async function buildIndexes(client: Client, log: Log | null): Promise<void> {
  const { rows } = await client.query<IndexBuild & { id: number }>(
    `select id, name, definition, is_unique as "isUnique", whole from ${TABLE} order by id`,
  );
  if (rows.length === 0) return;
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
  for (const { id, name, definition, isUnique, whole } of rows) {
    const started = performance.now();
    log?.info({ index: name }, 'an index is built, while the table is written');
    await client.query(`drop index concurrently if exists ${name}`);
    await client.query(`create ${isUnique ? 'unique ' : ''}index concurrently ${name} ${definition}`);
    const attach = whole === null ? '' : `alter index ${whole} attach partition ${name};`;
    await client.query(`${attach} delete from ${TABLE} where id = ${id}`); // together, as one transaction
    log?.info({ index: name, ms: Math.round(performance.now() - started) }, 'an index was built');
  }
  await client.query('reset lock_timeout');
}
