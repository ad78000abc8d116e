import type pg from 'pg';
import { onOwnClient } from './own-client.ts';

/**
 * Settings under which rows, written as texts, mean the same in another cluster and another major version. The time limits are
 * for reading or writing all of one table.
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
  /** The purpose of the connection, as `pg_stat_activity` shows it. */
  readonly name: 'backup' | 'archive';
  /** Ends the connection when it aborts, and with it the statement that is under way. */
  readonly stop?: AbortSignal;
}

/** Runs `work` on a connection of its own, which ends with it. */
export async function withConnection<T>(
  url: string,
  { name, stop }: ConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const config = {
    connectionString: url,
    application_name: `ocr-router ${name}`,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
  };
  return onOwnClient(config, async (client) => {
    const leave = () => void client.end().catch(() => undefined);
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
    }
  });
}
