import type pg from 'pg';
import { MIGRATIONS } from './migrations/index.ts';
import { MIGRATIONS_TABLE } from './upgrade/migration-script.ts';

/** The part of a connection that asks what was migrated. */
type Asks = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>;

/** The migrations that a database has had, in their order; none for a database without a schema. */
export async function appliedMigrations(ask: Asks): Promise<string[]> {
  const [table] = await ask<{ found: string | null }>(`select to_regclass('${MIGRATIONS_TABLE}')::text as found`);
  if (!table?.found) return [];
  const rows = await ask<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by id`);
  return rows.map(({ name }) => name);
}

/** Migrations that this program does not know: a newer one made them. */
export function unknownMigrations(applied: readonly string[]): string[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  return applied.filter((name) => !known.has(name));
}

/** The name of a schema: that of its newest migration, all of which begin with a time. Null without migrations. */
export function schemaName(applied: readonly string[]): string | null {
  return applied.toSorted().at(-1) ?? null;
}

/** The schema that this program makes. */
export const OWN_SCHEMA = schemaName(MIGRATIONS.map(({ name }) => name)) ?? '';
