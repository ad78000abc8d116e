import { type Pool, query } from '../../database/pool.ts';
import type { ReportsReady } from '../../database/reports-ready.ts';
import { lowestId } from '../../platform/ids.ts';
import { HOUR_MS } from '../../platform/numbers/times.ts';
import { UNROLLED_USAGE } from '../../usage/usage-counts.ts';
import { COUNTED, FAULTS, HOUR, PAGE_MS, UNROLLED } from './attempt-sql.ts';
import type { EngineWindow } from './engine-window.type.ts';
import { type Histogram, percentile, stepSql } from './latency-scale.ts';

/** Reads the roll-ups of whole hours, with their histograms added up, and what was recorded since. */
const WINDOWS = {
  name: 'engine-windows-between',
  text: `
  with tail as materialized (
    select engine, ${stepSql(PAGE_MS)} as step, count(*) as requests,
      count(*) filter (where outcome in ${FAULTS}) as errors
    from attempt where engine = any($1::text[]) and ${UNROLLED} and ${COUNTED} and ${HOUR} >= $2
      and ${HOUR} < $3 group by 1, 2
  ),
  steps as (
    select engine, step, sum(requests) as requests from (
      select engine, step, requests from engine_hour_latency where engine = any($1::text[]) and hour >= $2 and hour < $3
      union all select engine, step, requests from tail where step is not null
    ) parts group by 1, 2
  ),
  counts as (
    select engine, sum(requests) as requests, sum(errors) as errors from (
      select engine, requests, errors from engine_hour where engine = any($1::text[]) and hour >= $2 and hour < $3
      union all select engine, requests, errors from tail
    ) parts group by 1
  )
  select e.engine as "engineId", coalesce(c.requests, 0)::float8 as requests, coalesce(c.errors, 0)::float8 as errors,
    coalesce((select json_agg(json_build_array(s.step, s.requests) order by s.step) from steps s
              where s.engine = e.engine), '[]') as histogram
  from unnest($1::text[]) as e(engine) left join counts c on c.engine = e.engine`,
};

/** Reads counted hours, and what was recorded since. An hour is that of acceptance. */
const SPENT = {
  name: 'engine-windows-spent',
  text: `select engine, sum(cost)::bigint as spent from (
           select engine, cost from engine_hour_cost where hour >= $2 and engine = any($1::text[])
           union all
           select engine, cost from usage_event where ${UNROLLED_USAGE} and hour >= $2 and engine = any($1::text[])
         ) parts group by engine`,
};

/** Reads the charges from the requests themselves, as long as these are not all counted. */
const SPENT_BY_ROWS = {
  name: 'engine-windows-spent-by-rows',
  text: `select engine, sum(cost)::bigint as spent from ocr_request
         where id >= $2 and engine = any($1::text[]) and finished_at is not null group by engine`,
};

/** What an engine did in some hours, with the histogram of its times. */
export interface CountedRuns {
  readonly engineId: string;
  readonly requests: number;
  readonly errors: number;
  readonly histogram: Histogram;
}

/** A window with its histogram. */
export type CountedWindow = Omit<EngineWindow, 'unavailable'> & CountedRuns;

/** The runs of engines between two starts of hours (`until` null: up to now), in one statement however many engines. */
export async function countedRuns(
  pool: Pool,
  engineIds: readonly string[],
  { since, until }: { since: Date; until: Date | null },
): Promise<CountedRuns[]> {
  const rows = await query<CountedRuns>(pool, WINDOWS, [engineIds, since, until ?? 'infinity']);
  const found = new Map(rows.map((row) => [row.engineId, row]));
  return engineIds.map((engineId) => found.get(engineId) ?? { engineId, requests: 0, errors: 0, histogram: [] });
}

/** What engines did in the last `hours` whole hours and the current one: two statements, however many engines. */
export async function engineWindows(
  { pool, ready }: { readonly pool: Pool; readonly ready: ReportsReady },
  engineIds: readonly string[],
  { hours, now }: { hours: number; now: Date },
): Promise<CountedWindow[]> {
  const since = windowStart(hours, now);
  const [all, costs] = await Promise.all([
    countedRuns(pool, engineIds, { since, until: null }),
    spentOf({ pool, ready }, engineIds, since),
  ]);
  const spent = new Map(costs.map((row) => [row.engine, row.spent]));
  return all.map(({ engineId, ...runs }) => {
    const { requests, errors, histogram } = runs;
    return { engineId, hours, spent: spent.get(engineId) ?? 0n, ...runs, ...figures(requests, errors, histogram) };
  });
}

async function spentOf(
  { pool, ready }: { readonly pool: Pool; readonly ready: ReportsReady },
  engineIds: readonly string[],
  since: Date,
): Promise<{ engine: string; spent: bigint }[]> {
  return (await ready.look())
    ? query(pool, SPENT, [engineIds, since])
    : query(pool, SPENT_BY_ROWS, [engineIds, lowestId('ocr_', since)]);
}

/** The rate and percentiles; null where there is nothing to compute them from. */
export function figures(requests: number, errors: number, histogram: Histogram) {
  return {
    errorRate: requests === 0 ? null : errors / requests,
    p50Ms: percentile(histogram, 0.5),
    p95Ms: percentile(histogram, 0.95),
    p99Ms: percentile(histogram, 0.99),
  };
}

/** The start of the first whole hour of a window, UTC. */
export function windowStart(hours: number, now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS);
}
