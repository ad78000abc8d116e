import type pg from 'pg';
import type { Log } from '../../platform/logging/log.ts';
import { onOwnClient } from './own-client.ts';

/**
 * Numbers of advisory locks, one for each thing that only one process of the installation does at a time; 7,274,114 is taken by
 * `divide_requests()`.
 */
const LOCKS = { migration: 7_274_110, secrets: 7_274_112, 'first account': 7_274_113, archive: 7_274_115 } as const;
const TELL_AFTER_MS = 3000;
const BEGIN = `begin;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '15min'`;

/** Runs a statement on the connection that holds the lock. What the statement itself locks is free again afterwards. */
export type Look = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>;

/**
 * Runs `work` while no other process does the same. The lock belongs to a transaction and ends with it however that ends:
 * a lock of the session would stay behind on the connections of a pooler (PgBouncer).
 */
export async function exclusively<T>(
  url: string,
  what: keyof typeof LOCKS,
  log: Log | null,
  work: (look: Look) => Promise<T>,
): Promise<T> {
  const waiting = setTimeout(() => log?.info({ what }, 'waiting for another process that does this'), TELL_AFTER_MS);
  try {
    return await inTransaction(url, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [LOCKS[what]]);
      clearTimeout(waiting);
      return work((text) => look(client, text));
    });
  } finally {
    clearTimeout(waiting);
  }
}

/** Runs `work` unless another process is at the same thing. Answers whether it ran. */
export function exclusivelyIfFree(url: string, what: keyof typeof LOCKS, work: () => Promise<void>): Promise<boolean> {
  return inTransaction(url, async (client) => {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
      LOCKS[what],
    ]);
    if (!rows[0]?.free) return false;
    await work();
    return true;
  });
}

function inTransaction<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return onOwnClient({ connectionString: url, connectionTimeoutMillis: 30_000 }, async (client) => {
    await client.query(BEGIN);
    const result = await work(client);
    await client.query('commit');
    return result;
  });
}

async function look<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row[]> {
  await client.query('savepoint look');
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.query('rollback to savepoint look');
  }
}
