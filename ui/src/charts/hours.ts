import { BY_DAY, BY_HOUR, type Step } from './step.ts';

/** What an engine did in a time, as the API has it. */
export interface Figures {
  readonly p50Ms?: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms?: number | null;
  readonly requestCount: number;
  readonly errorCount: number;
}

/** One hour of an engine. */
export interface HourBucket extends Figures {
  readonly bucketHour: string;
}

/** One UTC day of an engine. */
export interface DayBucket extends Figures {
  readonly date: string;
}

/** One place on the time axis: null where nothing was measured. */
export interface TimeSlot {
  readonly atMs: number;
  readonly bucket: Figures | null;
}

/** Every hour of the span, the present one last: hours without requests are there and empty, so that gaps stay gaps. */
export function everyHour(buckets: readonly HourBucket[], hours: number, nowMs: number): readonly TimeSlot[] {
  const byHour = new Map(buckets.map((bucket) => [Date.parse(bucket.bucketHour), bucket]));
  return everyStep(byHour, BY_HOUR, hours, nowMs);
}

/** The same of UTC days, today last. */
export function everyLatencyDay(buckets: readonly DayBucket[], days: number, nowMs: number): readonly TimeSlot[] {
  const byDay = new Map(buckets.map((bucket) => [Date.parse(bucket.date), bucket]));
  return everyStep(byDay, BY_DAY, days, nowMs);
}

function everyStep(
  buckets: ReadonlyMap<number, Figures>,
  { ms }: Step,
  many: number,
  nowMs: number,
): readonly TimeSlot[] {
  const lastMs = Math.floor(nowMs / ms) * ms;
  return Array.from({ length: many }, (_, index) => {
    const atMs = lastMs - (many - 1 - index) * ms;
    return { atMs, bucket: buckets.get(atMs) ?? null };
  });
}

/** The hours of several lists added up: how many there were, and how many of them failed. Percentiles cannot be added. */
export function sumHours(lists: readonly (readonly Counted<HourBucket, 'bucketHour'>[])[]): readonly HourBucket[] {
  return sumOf(lists, ({ bucketHour }) => bucketHour).map(([bucketHour, sum]) => ({ bucketHour, ...sum }));
}

/** The same of days. */
export function sumDays(lists: readonly (readonly Counted<DayBucket, 'date'>[])[]): readonly DayBucket[] {
  return sumOf(lists, ({ date }) => date).map(([date, sum]) => ({ date, ...sum }));
}

type Counts = Pick<Figures, 'requestCount' | 'errorCount'>;
type Counted<Bucket extends Figures, Key extends keyof Bucket> = Pick<Bucket, Key> & Counts;

function sumOf<C extends Counts>(
  lists: readonly (readonly C[])[],
  keyOf: (counts: C) => string,
): readonly (readonly [string, Figures])[] {
  const sums = new Map<string, Figures>();
  for (const counts of lists.flat()) {
    const known = sums.get(keyOf(counts));
    sums.set(keyOf(counts), {
      p95Ms: null,
      requestCount: counts.requestCount + (known?.requestCount ?? 0),
      errorCount: counts.errorCount + (known?.errorCount ?? 0),
    });
  }
  return [...sums];
}
