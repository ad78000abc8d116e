import { mkdirSync } from 'node:fs';
import pg from 'pg';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import { connectOrStartEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from './orm.ts';
import { requireKeptSessions } from './pooler.ts';

export interface Database extends AsyncDisposable {
  /** For the service; the embedded one has a role for it, which reads and writes rows and nothing else. */
  readonly url: string;
}

export interface OpenOptions {
  /** Joins the embedded one that another process of this folder runs. */
  readonly share?: boolean;
  /** False leaves the schema as it is. */
  readonly migrates?: boolean;
}

/**
 * The database, migrated: the one of `DATABASE_URL`, or the embedded one below `DATA_DIR`. `share` joins an embedded
 * one that another process of this folder runs, for commands beside a running server.
 */
export async function openDatabase(config: Config, log: Log, options: OpenOptions = {}): Promise<Database> {
  const { share = false, migrates = true } = options;
  if (config.databaseUrl !== null) {
    await requireKeptSessions(config.databaseUrl);
    if (migrates) await migrate(config.databaseUrl, log);
    await warnOfSuperuser(config.databaseUrl, log);
    return { url: config.databaseUrl, [Symbol.asyncDispose]: async () => undefined };
  }
  mkdirSync(config.dataDir, { recursive: true });
  const start = share ? connectOrStartEmbedded : startEmbedded;
  const embedded = await start({ dataDir: config.dataDir, log });
  try {
    if (migrates) await migrate(embedded.url, log);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.serviceUrl, [Symbol.asyncDispose]: () => embedded.stop() };
}

/** For who changes tables: `ownerUrl` may. */
export interface OwnedDatabase extends Database {
  readonly ownerUrl: string;
}

/** The database as it is, not migrated. Throws where another process has the embedded one. */
export async function openForRestore(config: Config, log: Log): Promise<OwnedDatabase> {
  if (config.databaseUrl !== null) {
    const url = config.databaseUrl;
    await requireKeptSessions(url);
    return { url, ownerUrl: url, [Symbol.asyncDispose]: async () => undefined };
  }
  mkdirSync(config.dataDir, { recursive: true });
  const embedded = await startEmbedded({ dataDir: config.dataDir, log });
  return { url: embedded.serviceUrl, ownerUrl: embedded.url, [Symbol.asyncDispose]: () => embedded.stop() };
}

/** The database, migrated, beside a service that may run. With `DATABASE_URL` its role must own the tables. */
export async function openAsOwner(config: Config, log: Log): Promise<OwnedDatabase> {
  if (config.databaseUrl !== null) {
    const database = await openDatabase(config, log);
    return { url: database.url, ownerUrl: database.url, [Symbol.asyncDispose]: async () => undefined };
  }
  mkdirSync(config.dataDir, { recursive: true });
  const embedded = await connectOrStartEmbedded({ dataDir: config.dataDir, log });
  try {
    await migrate(embedded.url, log);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.serviceUrl, ownerUrl: embedded.url, [Symbol.asyncDispose]: () => embedded.stop() };
}

/** A superuser is bound by no trigger, the ledger's among them. */
async function warnOfSuperuser(url: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000, query_timeout: 30_000 });
  client.on('error', () => undefined); // the query that was under way reports it
  await client.connect();
  try {
    const { rows } = await client.query(`select 1 from pg_roles where rolname = current_user and rolsuper`);
    if (rows.length > 0) log.warn('the role of DATABASE_URL is a superuser: give the service an ordinary one');
  } finally {
    await client.end();
  }
}
