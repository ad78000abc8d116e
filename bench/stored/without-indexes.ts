import type { Client } from 'pg';

const TAKE_NOTE = `
  create table index_to_come as
  select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as undo,
    format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as redo
  from pg_constraint k where k.conrelid = any($1::regclass[]) and k.contype in ('p', 'u')
  union all
  select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid) from pg_index i
  where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;

/** Takes the indexes of tables away that are about to be filled, and notes them in the database. */
export async function takeIndexesAway(client: Client, names: readonly string[]): Promise<void> {
  const tables = names.map((table) => `'${table}'`).join(', ');
  await client.query(TAKE_NOTE.replaceAll('$1::regclass[]', `array[${tables}]::regclass[]`));
  const { rows } = await client.query<{ undo: string }>('select undo from index_to_come');
  for (const { undo } of rows) await client.query(undo);
}

/** Makes one of them again; answers whether that was the last. */
export async function makeIndex(client: Client): Promise<boolean> {
  await client.query('begin');
  const { rows } = await client.query<{ redo: string }>(
    'delete from index_to_come where ctid = (select min(ctid) from index_to_come) returning redo',
  );
  for (const { redo } of rows) await client.query(redo);
  await client.query('commit');
  return rows.length === 0;
}
