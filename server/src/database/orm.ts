import 'reflect-metadata';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { type AnyEntity, type EntityClass, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { Log } from '../log.ts';
import { exclusively, type Look } from './exclusively.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { connectionLimits } from './pool.ts';

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
    if (await isUpToDate(look)) return;
    const orm = await initOrm(url, [], 2, MIGRATION_LIMITS);
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  });
}

async function isUpToDate(look: Look): Promise<boolean> {
  const [table] = await look<{ found: string | null }>(`select to_regclass('mikro_orm_migrations')::text as found`);
  if (!table?.found) return false;
  const rows = await look<{ name: string }>('select name from mikro_orm_migrations');
  const done = new Set(rows.map((row) => row.name));
  return MIGRATIONS.every((migration) => done.has(migration.name));
}
