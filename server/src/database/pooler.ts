import { randomUUID } from 'node:crypto';
import { SettingError } from '../platform/settings/setting-error.ts';
import { onOwnClient } from './sessions/own-client.ts';

const LIMIT_MS = 30_000;
/** Some setting for a connection: all of the service's connections have settings, and here any will do. */
const SETTINGS = '-c jit=off';
const PREPARED_EXISTS = '42P05';

/**
 * Throws `SettingError` for a PostgreSQL that no connection can be made to, and for a pooler (PgBouncer) that does not keep what the
 * service relies on: the settings of a connection, and prepared statements from one statement to the next.
 */
export async function requireKeptSessions(url: string): Promise<void> {
  const name = `pooler-${randomUUID()}`;
  // In transaction mode both connections share one of the server, where the name is taken the second time.
  for (const _connection of ['first', 'second']) await prepare(url, name);
}

async function prepare(url: string, name: string): Promise<void> {
  const config = { connectionString: url, options: SETTINGS, connectionTimeoutMillis: LIMIT_MS };
  let isConnected = false;
  await onOwnClient(config, (client) => {
    isConnected = true;
    return client.query({ name, text: 'select 1' });
  }).catch((error: Failure) => {
    throw forgetfulPooler(url, error) ?? (isConnected ? error : unusable(url, error)); // whatever node-postgres rejects with is an error
  });
}

type Failure = Error & { readonly code?: unknown };

function forgetfulPooler(url: string, error: Failure): SettingError | null {
  if (!/unsupported startup parameter/.test(error.message) && error.code !== PREPARED_EXISTS) return null;
  return new SettingError(
    `DATABASE_URL: at ${hostOf(url)} answers a connection pooler that drops what a connection has set or prepared: ` +
      'set `pool_mode = session` and `ignore_startup_parameters = options` there (PgBouncer), or name PostgreSQL itself.',
    { cause: error },
  );
}

/** No answer, no such host, a certificate that does not hold, a wrong password, no such database. */
function unusable(url: string, error: Failure): SettingError {
  // Of a host with several addresses Node.js tells the code alone, and OpenSSL's messages end in a new line.
  const reason = (error.message || String(error.code)).replaceAll(/\s+/g, ' ').trim();
  return new SettingError(`DATABASE_URL: PostgreSQL at ${hostOf(url)} cannot be used: ${reason}.`, { cause: error });
}

function hostOf(url: string): string {
  return new URL(url.replace('@/', '@localhost/')).host; // without a host a parameter names a socket
}
