import { AppError } from '../platform/errors.ts';
import { DAY_MS, startOfDay } from '../platform/numbers/times.ts';

const DEFAULT_DAYS = 30;

/** A span of whole days, UTC: from the first moment to the moment after the last. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The days `from` to `to`, both included: 30 days ago and today when not given. Throws 400 for what is no such span. */
export function usagePeriod(from: string | null | undefined, to: string | null | undefined, now: Date): Period {
  const today = startOfDay(now).getTime();
  const first = from == null ? today - DEFAULT_DAYS * DAY_MS : startOf('from', from);
  const last = to == null ? today : startOf('to', to);
  if (first > last)
    throw new AppError('invalid_request', 'from: must not be after `to`; it is 30 days ago when absent.');
  return { start: new Date(first), end: new Date(last + DAY_MS) };
}

function startOf(name: string, text: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 30 February for a day in March.
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith('0000');
  if (!isDay) throw new AppError('invalid_request', `${name}: must be a date, YYYY-MM-DD.`);
  return time;
}

/** A page of an account's requests in a period. */
export interface UsageQuery {
  readonly accountId: string;
  readonly period: Period;
  readonly engine: string | null;
  readonly page: number;
  readonly perPage: number;
}
