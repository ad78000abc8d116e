import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `round` again and again until the signal aborts, `width` of them side by side, with a pause between two rounds.
 * A broken call is what an attack expects: the next round goes on. Rejects when every round that came to its end threw, or
 * none was begun: the attack misses what it is for.
 */
export async function persist(
  signal: AbortSignal,
  { width = 1, pauseMs = 10 }: { width?: number; pauseMs?: number },
  round: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (signal.aborted) throw new Error('the attack was over before it had begun');
  let made = 0;
  const thrown: unknown[] = [];
  const goOn = async () => {
    while (!signal.aborted) {
      await round(signal).then(
        () => {
          made += 1;
        },
        // What the end of the attack cuts short says nothing; the first one is told.
        (error) => void (signal.aborted || thrown.length > 0 || thrown.push(error)),
      );
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: width }, goOn));
  if (made === 0 && thrown.length > 0) throw new Error(`the attack misses what it is for: ${thrown[0]}`);
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
