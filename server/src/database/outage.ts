import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isTlsFailure } from '../platform/connections/tls-failure.ts';

/** Pauses in ms before a statement is tried again: they grow from the first to the longest. */
const PAUSE_MS = { first: 100, longest: 3000 };

/**
 * SQLSTATEs of outages: connection exceptions, rollbacks (a deadlock), no resources (a full disk, no memory, too many
 * connections), shutdowns and crashes, I/O errors, a primary that is read-only since a failover; and statements that took too
 * long (`TOO_SLOW_CODE`).
 */
const OUTAGE_CODE = /^(08|40|53|57P0|58030|25006|57014|55P03)/;
/** SQLSTATEs of a statement, or a wait for a lock, that took longer than it may. */
const TOO_SLOW_CODE = /^(57014|55P03)/;
/** Messages of node-postgres that have no code: a connection was lost, or none could be had. */
const LOST_UNDER_WAY = /^(Connection terminated|Query read timeout|Client (has|was) .* not queryable)/;
const NOT_CONNECTED =
  /^(timeout exceeded when trying to connect|There was an error establishing an SSL connection|The server does not support SSL)/;
/** Codes of Node.js for a network that is away: of the database, of this machine, or between them. */
const NETWORK_CODE =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET|ENOTCONN|EADDRNOTAVAIL|ETIMEDOUT)/;
/** This process has too many open files to connect. */
const NO_CONNECTION_CODE = /^(EMFILE|ENFILE|ENOBUFS)/;

/**
 * Whether a statement failed because the database was away or busy with itself, and not for what the statement says. A broken
 * connection has no SQLSTATE: node-postgres rejects with an error of its own, or with the socket's.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGE_CODE.test(error.code ?? '') || isBetweenParts(error);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isOfFile = 'syscall' in error && error.syscall !== 'connect';
  const isKnown = NETWORK_CODE.test(code) || (NO_CONNECTION_CODE.test(code) && !isOfFile);
  // A certificate may run out, or be changed for one that this process does not know: operators mend that while processes run.
  return isKnown || isTlsFailure(code) || LOST_UNDER_WAY.test(error.message) || NOT_CONNECTED.test(error.message);
}

/**
 * Whether only a partition has refused the row (`Migration20261123160000_months`), and not a rule. Either its month was attached
 * while the row was on its way to the default partition, an error that names no constraint, or the former table has a bound that
 * is about to be removed. Sent again, the row finds its partition.
 */
function isBetweenParts({ code, constraint }: pg.DatabaseError): boolean {
  return code === '23514' && (constraint === undefined || constraint.endsWith('_before_bound'));
}

/** Whether the database ended the statement because it took too long. A smaller one, or the same one later, may succeed. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && TOO_SLOW_CODE.test(error.code ?? '');
}

/** Whether the connection is lost, so that a rollback cannot be sent on it. */
export function isConnectionLost(error: unknown): boolean {
  return isOutage(error) && !(error instanceof pg.DatabaseError);
}

/** Whether a connection broke, or was given up for its silence, during a statement: another connection may answer. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /^(ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code) || LOST_UNDER_WAY.test(error.message);
}

/** Thrown where the database has not come back in time. */
export class OutageError extends Error {}

export interface Patience {
  /** Milliseconds from the first try to the last one. */
  readonly limitMs: number;
  readonly onPause?: (error: unknown, pauseMs: number) => void;
  readonly firstPauseMs?: number;
}

/**
 * Runs a statement that does no harm when it runs twice until the database is back: it may have been committed although the
 * connection broke. Throws `OutageError` where the outage lasts longer than `limitMs`.
 */
export async function throughOutage<T>(work: () => Promise<T>, { limitMs, onPause, ...more }: Patience): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = more.firstPauseMs ?? PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (performance.now() + pauseMs > deadline) throw new OutageError('the database is away', { cause: error });
      onPause?.(error, pauseMs);
      await sleep(pauseMs);
    }
  }
}
