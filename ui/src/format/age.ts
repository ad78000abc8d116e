const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** How long ago something was, in one unit: `just now`, `41 s ago`, `3 h ago`, `12 d ago`. */
export function age(at: string | number | Date | null | undefined, nowMs: number = Date.now()): string {
  const passed = timeSince(at, nowMs);
  if (passed === null) return 'never';
  return passed === '' ? 'just now' : `${passed} ago`;
}

/** How long something has been so: `41 s`, `3 h`; a moment counts as one second. */
export function lasting(since: string | number | Date, nowMs: number = Date.now()): string {
  return timeSince(since, nowMs) || '1 s';
}

function timeSince(at: string | number | Date | null | undefined, nowMs: number): string | null {
  if (at === null || at === undefined) return null;
  const passedMs = nowMs - new Date(at).getTime();
  const unit = UNITS.find(([ms]) => passedMs >= ms);
  return unit === undefined ? '' : `${Math.floor(passedMs / unit[0])} ${unit[1]}`;
}
