import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { daysOf, monthBefore, type Span } from './span.ts';

/** What was charged on one UTC day. */
export interface ChargedDay {
  readonly of: string;
  readonly cost: number;
}

/** What was charged up to each day of a month, that day included: one sum a day, from the first. */
export interface MonthTrend {
  /** Up to today. */
  readonly present: readonly number[];
  readonly former: readonly number[];
}

/** The days that a trend is of: from the first of the last month up to today. */
export function trendSpan(nowMs: number = Date.now()): Span {
  return { from: monthBefore(1, nowMs).from, to: monthBefore(0, nowMs).to };
}

export function monthTrend(charged: readonly ChargedDay[], nowMs: number = Date.now()): MonthTrend {
  const costs = new Map(charged.map(({ of, cost }) => [of, cost]));
  const sums = (span: Span): readonly number[] => {
    let sum = 0;
    return daysOf(span).map((day) => {
      sum += costs.get(day) ?? 0;
      return sum;
    });
  };
  return { present: sums(monthBefore(0, nowMs)), former: sums(monthBefore(1, nowMs)) };
}

/** Where the month stands beside the last one on the same day; that one's last day where it was shorter. */
export function trendWords({ present, former }: MonthTrend): string {
  const now = present.at(-1) ?? 0;
  const all = former.at(-1) ?? 0;
  if (all === 0) return `${money(now)} so far, nothing last month`;
  const then = former[Math.min(present.length, former.length) - 1] ?? 0;
  return `${money(now)} so far, ${comparison(now, then)}; ${money(all)} in all of last month`;
}

function comparison(now: number, then: number): string {
  if (then === 0) return 'against nothing by this day of last month';
  const change = (now - then) / then;
  if (Math.abs(change) < 0.01) return `as much as by this day of last month`;
  const more = `${share(Math.abs(change), 0)} ${change > 0 ? 'more' : 'less'}`;
  return `${more} than the ${money(then)} by this day of last month`;
}
