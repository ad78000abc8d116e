import 'reflect-metadata';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { type AnyEntity, type EntityClass, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import pg from 'pg';
import { MIGRATIONS } from './migrations/index.ts';

export type Orm = MikroORM;

/** One number for the whole product: whoever migrates holds this advisory lock. */
const MIGRATION_LOCK = 7_274_110;

export async function openOrm(url: string, entities: EntityClass<AnyEntity>[], max = 4): Promise<Orm> {
  return MikroORM.init({
    clientUrl: url,
    entities,
    metadataProvider: ReflectMetadataProvider,
    namingStrategy: UnderscoreNamingStrategy,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, disableForeignKeys: false },
    pool: { min: 0, max },
    discovery: { warnWhenNoEntities: false },
    forceUtcTimezone: true,
    debug: false,
    logger: () => undefined,
  });
}

/**
 * Brings the schema up to date, under an advisory lock: any number of processes may start at once, one migrates and
 * the others wait for it.
 */
export async function migrate(url: string): Promise<void> {
  const guard = new pg.Client({ connectionString: url });
  guard.on('error', () => undefined); // the query that was under way reports it
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (await isUpToDate(guard)) return;
    const orm = await openOrm(url, [], 2);
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  } finally {
    await guard.end();
  }
}

async function isUpToDate(client: pg.Client): Promise<boolean> {
  const table = await client.query<{ found: string | null }>(
    `select to_regclass('mikro_orm_migrations')::text as found`,
  );
  if (!table.rows[0]?.found) return false;
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations');
  const done = new Set(rows.map((row) => row.name));
  return MIGRATIONS.every((migration) => done.has(migration.name));
}
