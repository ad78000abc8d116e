import type { DayBucket, Figures, HourBucket } from '@ocr-router/ui/charts/hours.ts';
import type { Line } from '@ocr-router/ui/charts/lines-chart.tsx';
import { type Buckets, slotsShown, stepOf, type Zoom } from './zoom.ts';

export type Measure = 'p95' | 'errors' | 'runs';

interface Compared {
  readonly id: string;
  readonly name: string;
  readonly window: { readonly requests: number };
  /** One of them: as the chart asks. */
  readonly latency?: readonly HourBucket[];
  readonly dailyLatency?: readonly DayBucket[];
}

/** The engines that are compared: those that are named, in that order, or those with the most runs. */
export function comparedEngines<E extends Compared>(
  engines: readonly E[],
  named: string | null,
  { most, usual }: { most: number; usual: number },
): readonly E[] {
  if (named !== null) {
    const ids = [...new Set(named.split(','))].slice(0, most);
    return ids.flatMap((id) => engines.filter((engine) => engine.id === id));
  }
  const busiest = engines.filter(({ window }) => window.requests > 0);
  return busiest.toSorted((a, b) => b.window.requests - a.window.requests).slice(0, usual);
}

interface Drawn {
  readonly measure: Measure;
  readonly rangeHours: number;
  /** Hours that were asked for. */
  readonly hours: number;
  readonly zoom: Zoom | null;
  readonly nowMs: number;
}

/** A measure of several engines over the same hours or days: those of the zoom, without one those of the range. */
export function compareLines(
  engines: readonly Compared[],
  { measure, rangeHours, hours, zoom, nowMs }: Drawn,
): { readonly atMs: readonly number[]; readonly lines: readonly Line[] } {
  const step = stepOf(rangeHours, zoom);
  const shown = (buckets: Buckets) => slotsShown(buckets, { step, rangeHours, hours, zoom, nowMs });
  const atMs = shown({}).map((slot) => slot.atMs);
  const lines = engines.map(({ name, latency, dailyLatency }) => ({
    name,
    values: shown({ hourly: latency, daily: dailyLatency }).map(({ bucket }) => measured(bucket, measure)),
  }));
  return { atMs, lines };
}

/** No runs are a zero of runs, and no measure of anything else. */
function measured(bucket: Figures | null, measure: Measure): number | null {
  if (measure === 'runs') return bucket?.requestCount ?? 0;
  if (bucket === null) return null;
  return measure === 'p95' ? bucket.p95Ms : bucket.errorCount / bucket.requestCount;
}
