import type { Client } from 'pg';
import type { IndexBuild } from './index-builds.ts';

const CREATE_INDEX = /^\s*create\s+(unique\s+)?index\s+(\w+)\s+on\s+(\w+)\s+(.+)$/is;

/** A table with its size; the parts are those of a divided one. */
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

/** What a statement becomes that adds an index to a table of this size: that can be built while the table is written. Null for any other one. */
export async function largeIndexOf(client: Client, statement: string, largeBytes: number): Promise<LargeIndex | null> {
  const [, unique = '', name = '', table = '', rest = ''] = CREATE_INDEX.exec(statement) ?? [];
  const [found] = name === '' ? [] : (await client.query<Table>(LOOK, [table])).rows;
  if (!found || found.bytes === 0 || found.bytes < largeBytes) return null;
  const isUnique = unique !== '';
  if (!found.divided)
    return { now: null, builds: [{ name, definition: `on ${table} ${rest}`, isUnique, whole: null }] };
  // That of the whole is one of its parts': each is built by itself.
  const builds = found.parts.map((part) => ({
    name: `${part}_${name}`,
    definition: `on ${part} ${rest}`,
    isUnique,
    whole: name,
  }));
  return { now: `create ${unique}index ${name} on only ${table} ${rest}`, builds };
}

interface LargeIndex {
  /** The statement that takes its place. */
  readonly now: string | null;
  readonly builds: readonly IndexBuild[];
}
