import pg from 'pg';

/**
 * How rows are written as texts, so that they mean the same in another cluster and another major version. The limits
 * are those of one table: reading or writing all of it.
 */
const SETTINGS = [
  'datestyle=ISO,YMD',
  'intervalstyle=postgres',
  'timezone=UTC',
  'extra_float_digits=1',
  'bytea_output=hex',
  'client_encoding=UTF8',
  'statement_timeout=4h',
  'lock_timeout=30s',
  'idle_in_transaction_session_timeout=10min',
  'synchronize_seqscans=off',
];

export interface ConnectionOptions {
  /** What it is for, as `pg_stat_activity` shows it. */
  readonly name: 'backup' | 'archive';
  /** Ends the connection, and with it the statement that is under way. */
  readonly stop?: AbortSignal;
}

/** A connection of its own; ends with the work. */
export async function withConnection<T>(
  url: string,
  { name, stop }: ConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `ocr-router ${name}`,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
  });
  client.on('error', () => undefined); // the statement that was under way reports it
  const leave = () => void client.end().catch(() => undefined);
  await client.connect();
  stop?.addEventListener('abort', leave, { once: true });
  try {
    stop?.throwIfAborted();
    for (const setting of SETTINGS) {
      const [parameter, value = ''] = setting.split('=');
      await client.query(`set ${parameter} = ${client.escapeLiteral(value)}`);
    }
    return await work(client);
  } finally {
    stop?.removeEventListener('abort', leave);
    await client.end().catch(() => undefined); // an open transaction is rolled back
  }
}
