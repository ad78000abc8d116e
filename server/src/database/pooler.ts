import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { SettingError } from '../platform/settings/setting-error.ts';

const LIMIT_MS = 30_000;
/** Some setting for a connection: all of the service's connections have settings, and here any will do. */
const SETTINGS = '-c jit=off';
const PREPARED_EXISTS = '42P05';
/** Codes of a PostgreSQL that cannot be used: connection refused, no such host; a wrong password, no such user or database. */
const UNUSABLE = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|28P01|28000|3D000)$/;

/**
 * Throws `SettingError` for a pooler (PgBouncer) that does not keep what the service relies on: the settings of a connection, and
 * prepared statements from one statement to the next.
 */
export async function requireKeptSessions(url: string): Promise<void> {
  const name = `pooler-${randomUUID()}`;
  // In transaction mode both connections share one of the server, where the name is taken the second time.
  for (const _connection of ['first', 'second']) await prepare(url, name);
}

async function prepare(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: SETTINGS, connectionTimeoutMillis: LIMIT_MS });
  client.on('error', () => undefined); // the query that was under way reports it
  try {
    await client.connect();
    await client.query({ name, text: 'select 1' });
  } catch (error) {
    throw explained(url, error as Error); // whatever node-postgres rejects with is an error
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explained(url: string, error: Error): Error {
  const code = 'code' in error ? String(error.code) : '';
  const { host } = new URL(url.replace('@/', '@localhost/')); // without a host a parameter names a socket
  if (/unsupported startup parameter/.test(error.message) || code === PREPARED_EXISTS) {
    return new SettingError(
      `DATABASE_URL: at ${host} answers a connection pooler that drops what a connection has set or prepared: ` +
        'set `pool_mode = session` and `ignore_startup_parameters = options` there (PgBouncer), or name PostgreSQL itself.',
      { cause: error },
    );
  }
  if (!UNUSABLE.test(code)) return error;
  return new SettingError(`DATABASE_URL: PostgreSQL at ${host} cannot be used: ${error.message}.`, { cause: error });
}
