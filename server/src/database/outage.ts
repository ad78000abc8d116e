import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Pauses before a statement is tried again grow from the first to the second. */
const PAUSE_MS = { first: 100, longest: 3000 };

/**
 * SQLSTATE: connection exceptions, rollbacks (a deadlock), no resources (a full disk, no memory, too many connections),
 * shutdowns and crashes, I/O errors, a primary that is read-only since a failover; and what takes too long, below.
 */
const OUTAGE_CODE = /^(08|40|53|57P0|58030|25006|57014|55P03)/;
/** SQLSTATE: a statement or a wait for a lock that took longer than it may. */
const TOO_SLOW_CODE = /^(57014|55P03)/;
/** The words of node-postgres where it has no code: of a connection that there was, and of one that could not be had. */
const LOST_UNDER_WAY = /^(Connection terminated|Query read timeout|Client (has|was) .* not queryable)/;
const NOT_CONNECTED = /^timeout exceeded when trying to connect/;

/**
 * Whether a statement failed because the database was not there or busy with itself, and not for what it says. A broken
 * connection has no SQLSTATE: node-postgres rejects with an error of its own, or with the socket's.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGE_CODE.test(error.code ?? '') || isBetweenParts(error);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isKnown = /^(ECONN|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN)/.test(code);
  return isKnown || LOST_UNDER_WAY.test(error.message) || NOT_CONNECTED.test(error.message);
}

/**
 * Whether a row was refused by the part of its table alone (`Migration20261123160000_months`): its month was attached while it
 * was on its way to the part for all others, which no constraint is named for, or the table of before has a bound that is about to be
 * taken away. Sent again, it finds its part.
 */
function isBetweenParts({ code, constraint }: pg.DatabaseError): boolean {
  return code === '23514' && (constraint === undefined || constraint.endsWith('_before_bound'));
}

/** Whether the database ended the statement for its time: a smaller one, or the same one later, may succeed. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && TOO_SLOW_CODE.test(error.code ?? '');
}

/** Whether the connection is of no use any more: nothing comes of asking it for a rollback. */
export function isConnectionLost(error: unknown): boolean {
  return isOutage(error) && !(error instanceof pg.DatabaseError);
}

/** Whether a connection broke, or was given up for its silence, under a statement: another connection may answer. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /^(ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code) || LOST_UNDER_WAY.test(error.message);
}

/** The database has not come back in time. */
export class OutageError extends Error {}

export interface Patience {
  /** From the first try to the last one, in milliseconds. */
  readonly limitMs: number;
  readonly onPause: (error: unknown, pauseMs: number) => void;
  readonly firstPauseMs?: number;
}

/**
 * Runs a statement that does no harm when it runs twice, again and again until the database is back: what was committed
 * although the connection broke is committed once more. Throws `OutageError` when the outage lasts.
 */
export async function throughOutage<T>(work: () => Promise<T>, { limitMs, onPause, ...more }: Patience): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = more.firstPauseMs ?? PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (performance.now() + pauseMs > deadline) throw new OutageError('the database is away', { cause: error });
      onPause(error, pauseMs);
      await sleep(pauseMs);
    }
  }
}
