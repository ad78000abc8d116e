import { setTimeout as sleep } from 'node:timers/promises';
import { OutageError } from '../database/outage.ts';

/** Thrown by `within`: the time was over before the work had ended. */
export class LateError extends OutageError {}

/**
 * Waits for the result of the work. Throws `LateError` after `limitMs`, and an `AbortError` when the signal aborts; the work
 * itself goes on.
 */
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

/** Resolves when the work has ended, well or not, or after `limitMs`. */
export async function overWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  await within(limitMs, new AbortController().signal, work).catch(() => undefined);
}
