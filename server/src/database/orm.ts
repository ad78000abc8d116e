import type { AnyEntity, EntityClass, MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '../platform/logging/log.ts';
import { migrationScripts } from './migration-scripts.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { initOrm, openMigrator } from './migrator.ts';
import { appliedMigrations, OWN_SCHEMA, schemaName, unknownMigrations } from './schema-version.ts';
import { connectionLimits } from './sessions/connection-limits.ts';
import { exclusively } from './sessions/exclusively.ts';
import { isMissingIndexes } from './upgrade/index-builds.ts';
import { upgrade } from './upgrade/upgrade.ts';

export type Orm = MikroORM;

export function openOrm(url: string, entities: EntityClass<AnyEntity>[], max = 4): Promise<Orm> {
  return initOrm(url, { entities, max, limits: connectionLimits('entities') });
}

/** Brings the schema up to date: any number of processes may start at once, one migrates and the others wait for it. */
export async function migrate(url: string, log: Log | null = null): Promise<void> {
  await exclusively(url, 'migration', log, async (look) => {
    const applied = await appliedMigrations(look);
    warnOfNewer(applied, log);
    if (isUpToDate(applied) && !(await isMissingIndexes(look))) return;
    if (applied.length === 0) return makeSchema(url);
    const done = new Set(applied);
    const scripts = (await migrationScripts(url)).filter(({ name }) => !done.has(name));
    await upgrade(url, scripts, { log });
  });
}

async function makeSchema(url: string): Promise<void> {
  const orm = await openMigrator(url);
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}

function isUpToDate(applied: readonly string[]): boolean {
  const done = new Set(applied);
  return MIGRATIONS.every((migration) => done.has(migration.name));
}

/**
 * Warns of a schema that is newer than this program. Migrations only add, so an older version works on; its operator should know.
 */
function warnOfNewer(applied: readonly string[], log: Log | null): void {
  if (unknownMigrations(applied).length === 0) return;
  log?.warn(
    { database: schemaName(applied), program: OWN_SCHEMA },
    'the database has a newer schema than this version knows: it works on, but should be updated (docs/upgrading.md)',
  );
}
