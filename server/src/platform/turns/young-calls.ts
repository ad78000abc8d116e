import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** Most calls are answered by then; those that are not wait for something else than the service's thread. */
const YOUNG_MS = 60;
const LOOK_MS = 1;

/** When calls have begun that are not answered, oldest first; without those that were found to be no longer young. */
const begun = new Map<object, number>();

/** Notes a call that others work on; what it answers is called once it is answered, or more often. */
export function beginCall(nowMs = performance.now()): () => void {
  const end = () => void begun.delete(end);
  begun.set(end, nowMs);
  return end;
}

/**
 * Whether a call is under way that began a moment ago, and after `sinceMs`: work that began then belongs to none of them, and
 * lets them end first.
 */
export function hasYoungCall(nowMs: number, sinceMs: number): boolean {
  let isAny = false;
  for (const [call, beganMs] of begun) {
    if (nowMs - beganMs >= YOUNG_MS) begun.delete(call);
    else isAny ||= beganMs > sinceMs;
    if (isAny) return true;
  }
  return false;
}

/** A turn of the event loop, and up to `patienceMs` while there are such calls. */
export async function turnOfYoungCalls(sinceMs: number, patienceMs: number): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  await turn();
  for (let nowMs = performance.now(); nowMs < untilMs && hasYoungCall(nowMs, sinceMs); nowMs = performance.now()) {
    await sleep(LOOK_MS);
  }
}
