import 'reflect-metadata';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { type AnyEntity, type EntityClass, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { Log } from '../platform/logging/log.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { connectionLimits } from './pool.ts';
import { appliedMigrations, OWN_SCHEMA, schemaName, unknownMigrations } from './schema-version.ts';
import { exclusively } from './sessions/exclusively.ts';

export type Orm = MikroORM;

/** A migration waits this long for a table; it then fails, rather than hold up all who wait behind it. */
const MIGRATION_LIMITS = { options: '-c lock_timeout=10000', keepAlive: true };

export function openOrm(url: string, entities: EntityClass<AnyEntity>[], max = 4): Promise<Orm> {
  return initOrm(url, entities, max, connectionLimits('entities'));
}

async function initOrm(url: string, entities: EntityClass<AnyEntity>[], max: number, limits: object): Promise<Orm> {
  return MikroORM.init({
    clientUrl: url,
    entities,
    metadataProvider: ReflectMetadataProvider,
    namingStrategy: UnderscoreNamingStrategy,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, disableForeignKeys: false },
    pool: { min: 0, max },
    driverOptions: { connectionTimeoutMillis: 10_000, ...limits },
    discovery: { warnWhenNoEntities: false },
    forceUtcTimezone: true,
    debug: false,
    logger: () => undefined,
  });
}

/** Brings the schema up to date: any number of processes may start at once, one migrates and the others wait for it. */
export async function migrate(url: string, log: Log | null = null): Promise<void> {
  await exclusively(url, 'migration', log, async (look) => {
    const applied = await appliedMigrations(look);
    warnOfNewer(applied, log);
    if (isUpToDate(applied)) return;
    const orm = await openMigrator(url);
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  });
}

/** For migrations alone: no entities, and waits that are theirs. */
export function openMigrator(url: string): Promise<Orm> {
  return initOrm(url, [], 2, MIGRATION_LIMITS);
}

function isUpToDate(applied: readonly string[]): boolean {
  const done = new Set(applied);
  return MIGRATIONS.every((migration) => done.has(migration.name));
}

/** Migrations only add, so a process of an older version works on; its operator should know that it is one. */
function warnOfNewer(applied: readonly string[], log: Log | null): void {
  if (unknownMigrations(applied).length === 0) return;
  log?.warn(
    { database: schemaName(applied), program: OWN_SCHEMA },
    'the database has a newer schema than this version knows: it works on, but should be updated (docs/upgrading.md)',
  );
}
