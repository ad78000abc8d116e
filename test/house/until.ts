import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 90_000;
const STEP_MS = 20;

/** Waits until the condition holds and returns what it held; tests wait for conditions, never for time. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined>; // truthy, so none of these
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(STEP_MS);
  }
}
