import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 90_000;
const LEAST_STEP_MS = 20;
const MOST_STEP_MS = 100;

/**
 * Waits until the condition holds and returns what it held; tests wait for conditions, never for time. What has taken long
 * is looked for less often: each look takes processor time from what is waited for. Who acts on what does not last says
 * `mostStepMs`.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { mostStepMs = MOST_STEP_MS, patienceMs = PATIENCE_MS }: { mostStepMs?: number; patienceMs?: number } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const began = performance.now();
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined>; // truthy, so none of these
    const waited = performance.now() - began;
    if (waited > patienceMs) throw new Error(`waited in vain until ${what}`);
    await sleep(Math.min(mostStepMs, Math.max(LEAST_STEP_MS, waited / 10)));
  }
}
