import { leftOutWords } from '@ocr-router/ui/kit/left-out-words.ts';

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

/** The days of a month, so many before the present one; of the present one up to today. */
export function monthBefore(months: number, nowMs: number = Date.now()): Span {
  const now = new Date(nowMs);
  const month = now.getUTCMonth() - months;
  const from = dayOf(Date.UTC(now.getUTCFullYear(), month, 1));
  return { from, to: months === 0 ? dayOf(nowMs) : dayOf(Date.UTC(now.getUTCFullYear(), month + 1, 0)) };
}

/** The days that an address names; the last 30 where it names none. */
export function spanIn(search: string, nowMs: number = Date.now()): Span {
  const given = new URLSearchParams(search);
  const span = { from: given.get('from') ?? '', to: given.get('to') ?? '' };
  return isSpan(span) ? span : lastDays(30, nowMs);
}

/** What the address says of days where they are no span, in words. */
export function leftOutOf(search: string): string[] {
  const given = new URLSearchParams(search);
  const isUnderstood = isSpan({ from: given.get('from') ?? '', to: given.get('to') ?? '' });
  return leftOutWords(search, { from: () => isUnderstood, to: () => isUnderstood });
}

/** From the first moment of a span to the moment after its last. */
export function timesOf({ from, to }: Span): Span {
  const end = Date.parse(`${to}T00:00:00Z`) + DAY_MS;
  return { from: new Date(`${from}T00:00:00Z`).toISOString(), to: new Date(end).toISOString() };
}

/** Where the requests of a span stand that were charged though they were not read. */
export function chargedFailuresIn({ from, to }: Span): string {
  return `/requests?${new URLSearchParams({ from, to, 'charged-failures': 'yes', zone: 'utc' })}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
