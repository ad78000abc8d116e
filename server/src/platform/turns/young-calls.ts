/** Most calls are answered by then; those that are not wait for something else than the service's thread. */
const YOUNG_MS = 60;

/** When calls have begun that are not answered, oldest first; without those that were found to be no longer young. */
const begun = new Map<object, number>();

/** Notes a call that others work on; `end` is called once it is answered, or more often. */
export function beginCall(nowMs = performance.now()): () => void {
  const end = () => void begun.delete(end);
  begun.set(end, nowMs);
  return end;
}

/** Whether a call is under way that began a moment ago: whatever takes long lets it end first. */
export function hasYoungCall(nowMs = performance.now()): boolean {
  for (const [call, beganMs] of begun) {
    if (nowMs - beganMs < YOUNG_MS) return true;
    begun.delete(call);
  }
  return false;
}
