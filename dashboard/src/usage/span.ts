const DAY_MS = 86_400_000;

/** Days in UTC, both counted: usage is kept by them. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

export function lastDays(days: number, nowMs: number = Date.now()): Span {
  return { from: dayOf(nowMs - (days - 1) * DAY_MS), to: dayOf(nowMs) };
}

/** Every day of a span, in order; none where it ends before it begins. */
export function daysOf({ from, to }: Span): readonly string[] {
  const first = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayOf(first + index * DAY_MS));
}

/** Whether both are days, in order, and not more than a year apart. */
export function isSpan({ from, to }: Span): boolean {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  return start <= end && end - start <= 366 * DAY_MS;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
