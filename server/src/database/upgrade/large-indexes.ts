import type { Client } from 'pg';
import type { IndexBuild } from './index-builds.ts';

const CREATE_INDEX = /^\s*create\s+(unique\s+)?index\s+(\w+)\s+on\s+(\w+)\s+(.+)$/is;

/** Reads a table with its size in bytes, and its parts if it is divided. */
const LOOK = `
  select c.relkind = 'p' as divided, coalesce(p.parts, '{}') as parts, coalesce(p.bytes, pg_relation_size(c.oid))::float8 as bytes
  from pg_class c left join lateral (
    select array_agg(part.relname::text order by part.relname) as parts, sum(pg_relation_size(part.oid)) as bytes
    from pg_inherits i join pg_class part on part.oid = i.inhrelid where i.inhparent = c.oid
  ) p on c.relkind = 'p'
  where c.oid = to_regclass($1)`;

interface Table {
  readonly divided: boolean;
  readonly parts: readonly string[];
  readonly bytes: number;
}

/**
 * How to build an index of a table of at least `largeBytes` while the table is written. Null for any other statement, and for a
 * smaller table.
 */
export async function largeIndexOf(client: Client, statement: string, largeBytes: number): Promise<LargeIndex | null> {
  const [, unique = '', name = '', table = '', rest = ''] = CREATE_INDEX.exec(statement) ?? [];
  const [found] = name === '' ? [] : (await client.query<Table>(LOOK, [table])).rows;
  if (!found || found.bytes === 0 || found.bytes < largeBytes) return null;
  const isUnique = unique !== '';
  if (!found.divided)
    return { now: null, builds: [{ name, definition: `on ${table} ${rest}`, isUnique, whole: null }] };
  // The index of the whole table consists of its parts' indexes: each is built by itself.
  const builds = found.parts.map((part) => ({
    name: `${part}_${name}`,
    definition: `on ${part} ${rest}`,
    isUnique,
    whole: name,
  }));
  return { now: `create ${unique}index ${name} on only ${table} ${rest}`, builds };
}

interface LargeIndex {
  /** The statement in place of the original one; null where there is none. */
  readonly now: string | null;
  readonly builds: readonly IndexBuild[];
}
