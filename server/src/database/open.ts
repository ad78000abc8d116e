import type { EmbeddedPostgres } from '@ocr-router/embedded-postgres';
import type { Config } from '../platform/config.ts';
import { makeFolderNow } from '../platform/files/make-folder.ts';
import type { Log } from '../platform/logging/log.ts';
import { SettingError } from '../platform/settings/setting-error.ts';
import { connectOrStartEmbedded, startEmbedded } from './embedded.ts';
import { requireKeptSessions } from './pooler.ts';
import { onOwnClient } from './sessions/own-client.ts';

export interface Database extends AsyncDisposable {
  /** The URL for the service. In the embedded PostgreSQL it has a role that reads and writes rows and nothing else. */
  readonly url: string;
  /** The URL for changing tables. With `DATABASE_URL` it is the same one: its role owns the tables, or cannot change them. */
  readonly ownerUrl: string;
}

export interface OpenOptions {
  /** Whether to join the embedded PostgreSQL that another process of this folder runs. */
  readonly share?: boolean;
  /** Whether to migrate; true unless given. */
  readonly migrates?: boolean;
  /** Called when the process of the embedded PostgreSQL was made. */
  readonly onSpawn?: () => void;
}

/**
 * Opens the database and migrates it: the one of `DATABASE_URL`, or the embedded one below `DATA_DIR`. `share` is for commands
 * beside a running server.
 */
export async function openDatabase(config: Config, log: Log, options: OpenOptions = {}): Promise<Database> {
  const { share = false, migrates = true, onSpawn } = options;
  if (config.databaseUrl !== null) {
    await requireKeptSessions(config.databaseUrl);
    if (migrates) await migrate(config.databaseUrl, log).catch(adviseOperator);
    await warnOfUnfit(config.databaseUrl, log);
    return ofOthers(config.databaseUrl);
  }
  makeDataDir(config.dataDir);
  const start = share ? connectOrStartEmbedded : startEmbedded;
  const embedded = await start({ dataDir: config.dataDir, log, ...(onSpawn && { onSpawn }) });
  try {
    if (migrates) await migrate(embedded.url, log);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return ofOwn(embedded);
}

/** Opens the database without migrating it. Throws where another process has the embedded one. */
export async function openForRestore(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl !== null) {
    await requireKeptSessions(config.databaseUrl);
    return ofOthers(config.databaseUrl);
  }
  makeDataDir(config.dataDir);
  return ofOwn(await startEmbedded({ dataDir: config.dataDir, log }));
}

function makeDataDir(path: string): void {
  try {
    makeFolderNow(path);
  } catch (error) {
    throw new SettingError(`DATA_DIR: the folder cannot be made: ${(error as Error).message}.`, { cause: error });
  }
}

/** The database of `DATABASE_URL`, which others run and stop. */
function ofOthers(url: string): Database {
  return { url, ownerUrl: url, [Symbol.asyncDispose]: async () => undefined };
}

function ofOwn(embedded: EmbeddedPostgres): Database {
  return { url: embedded.serviceUrl, ownerUrl: embedded.url, [Symbol.asyncDispose]: () => embedded.stop() };
}

/** Migrates the database. The modules that know the tables are loaded only now, while the database starts. */
async function migrate(url: string, log: Log): Promise<void> {
  const orm = await import('./orm.ts');
  await orm.migrate(url, log);
}

/** What keeps the role of `DATABASE_URL` from the tables, by SQLSTATE, with what helps. */
const UNFIT: Readonly<Record<string, string>> = {
  '42501': 'its role may not make or read the tables; let it own the database, or grant it what the service needs',
  '25006': 'it takes no writes; name the primary, not a replica',
};

function adviseOperator(error: Error & { readonly code?: unknown }): never {
  const reason = UNFIT[String(error.code)];
  if (reason === undefined) throw error;
  throw new SettingError(`DATABASE_URL: the database cannot be used: ${error.message}: ${reason}.`, { cause: error });
}

/** Warns of a superuser, for no trigger binds one, not even the ledger's; and of a database that takes no writes, as a replica. */
async function warnOfUnfit(url: string, log: Log): Promise<void> {
  const config = { connectionString: url, connectionTimeoutMillis: 30_000, query_timeout: 30_000 };
  await onOwnClient(config, async (client) => {
    const { rows } = await client.query<{ rolsuper: boolean; reads_only: boolean }>(
      `select rolsuper, current_setting('transaction_read_only')::boolean as reads_only from pg_roles where rolname = current_user`,
    );
    if (rows[0]?.rolsuper) log.warn('the role of DATABASE_URL is a superuser: give the service an ordinary one');
    if (rows[0]?.reads_only) log.warn('the database of DATABASE_URL takes no writes: name the primary, not a replica');
  });
}
