import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Pauses before a statement is tried again: together shorter than a lease. */
const PAUSES_MS = [100, 300, 900, 1800, 3000];
/** SQLSTATE: connection exceptions, rollbacks (a deadlock), shutdowns and crashes, too many connections. */
const OUTAGE_CODE = /^(08|40|57P0|53300)/;
/** The words of node-postgres where it has no code. */
const CONNECTION = /^(Connection terminated|timeout exceeded when trying to connect|Client (has|was) .* not queryable)/;

/**
 * Whether a statement failed because the database was not there or busy with itself, and not for what it says. A broken
 * connection has no SQLSTATE: node-postgres rejects with an error of its own, or with the socket's.
 */
function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGE_CODE.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /^(ECONN|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN)/.test(code) || CONNECTION.test(error.message);
}

/** The database has not come back in time. */
export class OutageError extends Error {}

/**
 * Runs a statement that does no harm when it runs twice, again and again until the database is back: what was committed
 * although the connection broke is committed once more. Throws `OutageError` when the outage lasts.
 */
export async function throughOutage<T>(
  work: () => Promise<T>,
  onPause: (error: unknown, pauseMs: number) => void,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<T> {
  for (const pauseMs of [...pausesMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (pauseMs === null) throw new OutageError('the database is away', { cause: error });
      onPause(error, pauseMs);
      await sleep(pauseMs);
    }
  }
  throw new Error('unreachable: the last try returns or throws');
}
