const HOUR_MS = 3_600_000;

/** One hour of an engine, as the API has it. */
export interface HourBucket {
  readonly bucketHour: string;
  readonly p50Ms?: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms?: number | null;
  readonly requestCount: number;
  readonly errorCount: number;
}

/** One place on the time axis: null where nothing was measured. */
export interface HourSlot {
  readonly atMs: number;
  readonly bucket: HourBucket | null;
}

/** Every hour of the span, the present one last: hours without requests are there and empty, so that gaps stay gaps. */
export function everyHour(buckets: readonly HourBucket[], hours: number, nowMs: number): readonly HourSlot[] {
  const byHour = new Map(buckets.map((bucket) => [Date.parse(bucket.bucketHour), bucket]));
  const lastMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return Array.from({ length: hours }, (_, index) => {
    const atMs = lastMs - (hours - 1 - index) * HOUR_MS;
    return { atMs, bucket: byHour.get(atMs) ?? null };
  });
}

/** The hours of several lists added up: how many there were, and how many of them failed. Percentiles cannot be added. */
export function sumHours(lists: readonly (readonly CountedHour[])[]): readonly HourBucket[] {
  const hours = new Map<string, HourBucket>();
  for (const { bucketHour, requestCount, errorCount } of lists.flat()) {
    const known = hours.get(bucketHour);
    hours.set(bucketHour, {
      bucketHour,
      p95Ms: null,
      requestCount: requestCount + (known?.requestCount ?? 0),
      errorCount: errorCount + (known?.errorCount ?? 0),
    });
  }
  return [...hours.values()];
}

type CountedHour = Pick<HourBucket, 'bucketHour' | 'requestCount' | 'errorCount'>;
