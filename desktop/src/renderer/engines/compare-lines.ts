import type { DayBucket, Figures, HourBucket } from '@ocr-router/ui/charts/hours.ts';
import type { Line } from '@ocr-router/ui/charts/lines-chart.tsx';
import { BY_DAY, type Step } from '@ocr-router/ui/charts/step.ts';
import { type Buckets, slotsShown, type Zoom } from './zoom.ts';

export type Measure = 'p95' | 'errors' | 'runs' | 'charged';

/** What callers were charged, by hour or by day: as the chart asks. */
interface Charges {
  readonly id: string;
  readonly hourlyCharges?: readonly Charge[] | null;
  readonly dailyCharges?: readonly Charge[] | null;
}

interface Charge {
  readonly since: string;
  readonly spent: number;
}

export interface Compared {
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

export interface Times {
  readonly step: Step;
  readonly rangeHours: number;
  /** Hours that were asked for. */
  readonly hours: number;
  readonly zoom: Zoom | null;
  readonly nowMs: number;
}

export interface Drawn extends Times {
  readonly measure: Exclude<Measure, 'charged'>;
}

/** A measure of several engines over the same hours or days: those of the zoom, without one those of the range. */
export function compareLines(
  engines: readonly Compared[],
  { measure, ...times }: Drawn,
): { readonly atMs: readonly number[]; readonly lines: readonly Line[] } {
  const shown = (buckets: Buckets) => slotsShown(buckets, times);
  const atMs = shown({}).map((slot) => slot.atMs);
  const lines = engines.map(({ name, latency, dailyLatency }) => ({
    name,
    values: shown({ hourly: latency, daily: dailyLatency }).map(({ bucket }) => measured(bucket, measure)),
  }));
  return { atMs, lines };
}

/**
 * What several engines brought in over the same hours or days. An engine whose charges of this step were not answered has
 * no figures, which is not the same as none.
 */
export function chargeLines(
  engines: readonly Pick<Compared, 'id' | 'name'>[],
  charges: readonly Charges[],
  times: Times,
): { readonly atMs: readonly number[]; readonly lines: readonly Line[] } {
  const atMs = slotsShown({}, times).map((slot) => slot.atMs);
  const lines = engines.map(({ id, name }) => {
    const of = charges.find((engine) => engine.id === id);
    const known = times.step === BY_DAY ? of?.dailyCharges : of?.hourlyCharges;
    const spent = known && new Map(known.map((charge) => [Date.parse(charge.since), charge.spent]));
    return { name, values: atMs.map((at) => (spent ? (spent.get(at) ?? 0) : null)) };
  });
  return { atMs, lines };
}

/** No runs are a zero of runs, and no measure of anything else. */
function measured(bucket: Figures | null, measure: Drawn['measure']): number | null {
  if (measure === 'runs') return bucket?.requestCount ?? 0;
  if (bucket === null) return null;
  return measure === 'p95' ? bucket.p95Ms : bucket.errorCount / bucket.requestCount;
}
