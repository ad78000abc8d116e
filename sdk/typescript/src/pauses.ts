import { setTimeout } from 'node:timers/promises';

/** Waits; rejects as soon as the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = (ms, signal) => setTimeout(ms, undefined, { signal });

/** Before each further look at a request; then the last one. A key may call no more than so often, also for others. */
const POLL_PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000] as const;
const LONGEST_PAUSE_MS = 60_000;

/** What is waited after a look at a request that is under way; looks are counted from 0. */
export function pollPauseMs(look: number, askedMs: number | null): number {
  const ownMs = POLL_PAUSES_MS[Math.min(look, POLL_PAUSES_MS.length - 1)] ?? 0;
  return Math.min(LONGEST_PAUSE_MS, Math.max(ownMs, askedMs ?? 0));
}

const FIRST_RETRY_MS = 500;

/** What is waited before a call is sent again; attempts are counted from 0. */
export function retryPauseMs(attempt: number, askedMs: number | null): number {
  return Math.min(LONGEST_PAUSE_MS, askedMs ?? FIRST_RETRY_MS * 2 ** attempt);
}

interface Asking {
  readonly retry_after_seconds?: number;
  readonly poll_after_ms?: number;
}

/** The pause that an answer asks for; null where it asks for none, or for what is no length of time. */
export function askedPauseMs(headers: Headers, body: unknown): number | null {
  const { retry_after_seconds, poll_after_ms } = (body ?? {}) as Asking; // the contract's, or nothing
  const header = headers.get('retry-after');
  const seconds = header ? Number(header) : Number(retry_after_seconds ?? Number.NaN);
  const ways = [seconds * 1000, msUntil(header, headers.get('date')), Number(poll_after_ms ?? Number.NaN)];
  return ways.find((ms) => Number.isFinite(ms) && ms >= 0) ?? null;
}

/** Until an HTTP date, by the clock of who answered where that is told; NaN for what is no date, or one that is past. */
function msUntil(date: string | null, now: string | null): number {
  const then = timeOf(date);
  const ms = then - (timeOf(now) || Date.now());
  return ms > 0 ? ms : Number.NaN;
}

/** `Date.parse` takes much that is no date, such as `-5`. */
function timeOf(date: string | null): number {
  return date?.endsWith(' GMT') ? Date.parse(date) : Number.NaN;
}
