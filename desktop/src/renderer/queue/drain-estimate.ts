interface Rate {
  readonly queued: number;
  /** Requests that ended since `sinceMs`. */
  readonly ended: number;
  readonly sinceMs: number;
  readonly nowMs: number;
}

/**
 * Milliseconds until the queue is empty at the rate at which requests ended lately, if none came any more: 0 for an
 * empty queue, null where nothing ended that a rate could be taken from.
 */
export function drainEstimateMs({ queued, ended, sinceMs, nowMs }: Rate): number | null {
  if (queued === 0) return 0;
  const spanMs = nowMs - sinceMs;
  return ended === 0 || spanMs <= 0 ? null : (queued * spanMs) / ended;
}
