import 'reflect-metadata';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { type AnyEntity, type EntityClass, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import { MIGRATIONS } from './migrations/index.ts';

/** Longest wait of a migration for a table. It fails then, rather than hold up all that wait behind it. */
const MIGRATION_LIMITS = { options: '-c lock_timeout=10000', keepAlive: true };

/** Opens the ORM for migrations only: without entities, and with a limit for waits of its own. */
export function openMigrator(url: string): Promise<MikroORM> {
  return initOrm(url, { entities: [], max: 2, limits: MIGRATION_LIMITS });
}

interface OrmOptions {
  readonly entities: EntityClass<AnyEntity>[];
  readonly max: number;
  /** The settings of each connection. */
  readonly limits: object;
}

export async function initOrm(url: string, { entities, max, limits }: OrmOptions): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: url.replace('@/', '@localhost/'), // it parses no address without a host
    entities,
    metadataProvider: ReflectMetadataProvider,
    namingStrategy: UnderscoreNamingStrategy,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, disableForeignKeys: false },
    pool: { min: 0, max },
    // MikroORM takes host and login from the address, and no parameters: no TLS that it asks for, and no socket that it names.
    driverOptions: { connectionString: url, connectionTimeoutMillis: 10_000, ...limits },
    discovery: { warnWhenNoEntities: false },
    forceUtcTimezone: true,
    debug: false,
    logger: () => undefined,
  });
}
