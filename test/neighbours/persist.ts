import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `round` again and again until the signal aborts, `width` of them side by side, with a pause between two rounds.
 * A refused or broken call is what an attack expects: the next round goes on.
 */
export async function persist(
  signal: AbortSignal,
  { width = 1, pauseMs = 10 }: { width?: number; pauseMs?: number },
  round: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const goOn = async () => {
    while (!signal.aborted) {
      await round(signal).catch(() => undefined);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: width }, goOn));
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
