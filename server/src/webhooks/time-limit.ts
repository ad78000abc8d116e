import { setTimeout as sleep } from 'node:timers/promises';
import { OutageError } from '../database/outage.ts';

/** The time was over before the work was. */
export class LateError extends OutageError {}

/** What the work comes to. Throws `LateError` once the time is over, and an `AbortError` when the signal aborts; the work itself goes on. */
export async function within<T>(limitMs: number, signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(limitMs, undefined, { ref: false, signal: AbortSignal.any([signal, ended.signal]) });
    throw new LateError(`nothing came of it within ${limitMs / 1000} seconds`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    ended.abort();
  }
}

/** Resolves when the work is over, whatever it came to, or the time is. */
export async function overWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  await within(limitMs, new AbortController().signal, work).catch(() => undefined);
}
