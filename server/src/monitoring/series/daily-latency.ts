import { type Pool, query } from '../../database/pool.ts';
import { COUNTED, FAULTS, HOUR, PAGE_MS, UNROLLED } from './attempt-sql.ts';
import { type Histogram, percentile, stepSql } from './latency-scale.ts';
import type { LatencyDay } from './series.type.ts';

/** Most days: as long as all hours of a day are kept (`KEEP_HOURS` of the roll-up). */
export const MOST_LATENCY_DAYS = 31;

/** Adds the hours of a day up, with their histograms and with what was recorded since the last roll-up. */
const DAILY_LATENCY = {
  name: 'series-daily-latency',
  text: `
  with since as (select date_trunc('day', now(), 'UTC') - make_interval(hours => 24 * ($2 - 1)) as hour),
  tail as materialized (
    select engine, ${HOUR} as hour, ${stepSql(PAGE_MS)} as step, count(*) as requests,
      count(*) filter (where outcome in ${FAULTS}) as errors
    from attempt where engine = any($1::text[]) and ${UNROLLED} and ${COUNTED} and ${HOUR} >= (select hour from since)
    group by 1, 2, 3
  ),
  counts as (
    select engine, (hour at time zone 'UTC')::date as day, sum(requests) as requests, sum(errors) as errors from (
      select engine, hour, requests, errors from engine_hour
      where engine = any($1::text[]) and hour >= (select hour from since)
      union all select engine, hour, requests, errors from tail
    ) parts group by 1, 2
  ),
  steps as (
    select engine, (hour at time zone 'UTC')::date as day, step, sum(requests) as requests from (
      select engine, hour, step, requests from engine_hour_latency
      where engine = any($1::text[]) and hour >= (select hour from since)
      union all select engine, hour, step, requests from tail where step is not null
    ) parts group by 1, 2, 3
  ),
  histograms as (
    select engine, day, json_agg(json_build_array(step, requests) order by step) as histogram from steps group by 1, 2
  )
  select engine, to_char(day, 'YYYY-MM-DD') as date, requests::int as "requestCount", errors::int as "errorCount",
    coalesce(histogram, '[]') as histogram
  from counts left join histograms using (engine, day) order by day`,
};

interface CountedDay {
  readonly engine: string;
  readonly date: string;
  readonly requestCount: number;
  readonly errorCount: number;
  readonly histogram: Histogram;
}

/**
 * What engines did on each of the last UTC days, today included, oldest first: one statement, however many engines. Days
 * without requests are left out. A day's percentiles are of all its requests, as an hour's are.
 */
export async function dailyLatency(pool: Pool, engineIds: readonly string[], days: number): Promise<LatencyDay[][]> {
  const rows = await query<CountedDay>(pool, DAILY_LATENCY, [engineIds, days]);
  const ofEngine = new Map(engineIds.map((id): [string, LatencyDay[]] => [id, []]));
  for (const { engine, histogram, ...counts } of rows) {
    ofEngine.get(engine)?.push({
      ...counts,
      p50Ms: percentile(histogram, 0.5),
      p95Ms: percentile(histogram, 0.95),
      p99Ms: percentile(histogram, 0.99),
    });
  }
  return engineIds.map((id) => ofEngine.get(id) ?? []);
}
