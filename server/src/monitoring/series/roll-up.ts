import type { PoolClient } from 'pg';
import { query } from '../../database/pool.ts';
import { COUNTED, FAULTS, HOUR, PAGE_MS, SEEN_ENGINES } from './attempt-sql.ts';
import { type Histogram, percentile, stepSql } from './latency-scale.ts';

/** Hours that are kept: longer than the longest latency series (720 hours). */
export const KEEP_HOURS = 744;

/** Adds the attempts that were recorded from $1 up to, not including, $2. */
const FOLD = {
  name: 'roll-up-fold',
  text: `
  with recursive ${SEEN_ENGINES},
  fresh as materialized (
    select a.* from seen cross join lateral (
      select engine, ${HOUR} as hour, ${stepSql(PAGE_MS)} as step, count(*) as requests,
        coalesce(sum(pages), 0) as pages, count(*) filter (where outcome in ${FAULTS}) as errors,
        count(${PAGE_MS}) as timed, coalesce(sum(${PAGE_MS}), 0) as latency_sum,
        max(coalesce(finished_at, started_at)) as last_used
      from attempt where engine = seen.engine and recorded_xid >= $1::xid8 and recorded_xid < $2::xid8 and ${COUNTED}
      group by 1, 2, 3
    ) a where seen.engine is not null
  ),
  kept as materialized (
    select * from fresh where hour >= date_trunc('hour', now(), 'UTC') - make_interval(hours => ${KEEP_HOURS})
  ),
  totals as (
    insert into engine_total as t (engine, requests, pages, errors, timed_requests, latency_sum_ms, last_used)
    select engine, sum(requests), sum(pages), sum(errors), sum(timed), sum(latency_sum), max(last_used)
    from fresh group by engine
    on conflict (engine) do update set requests = t.requests + excluded.requests, pages = t.pages + excluded.pages,
      errors = t.errors + excluded.errors, timed_requests = t.timed_requests + excluded.timed_requests,
      latency_sum_ms = t.latency_sum_ms + excluded.latency_sum_ms, last_used = greatest(t.last_used, excluded.last_used)
  ),
  hours as (
    insert into engine_hour as t (engine, hour, requests, errors)
    select engine, hour, sum(requests), sum(errors) from kept group by engine, hour
    on conflict (engine, hour) do update set requests = t.requests + excluded.requests, errors = t.errors + excluded.errors
  ),
  latencies as (
    insert into engine_hour_latency as t (engine, hour, step, requests)
    select engine, hour, step, requests from kept where step is not null
    on conflict (engine, hour, step) do update set requests = t.requests + excluded.requests
  ),
  old_hours as (
    delete from engine_hour where engine = any(array(select distinct engine from fresh))
      and hour < date_trunc('hour', now(), 'UTC') - make_interval(hours => ${KEEP_HOURS})
  ),
  old_latencies as (
    delete from engine_hour_latency where engine = any(array(select distinct engine from fresh))
      and hour < date_trunc('hour', now(), 'UTC') - make_interval(hours => ${KEEP_HOURS})
  )
  select engine, hour::text as hour, sum(requests)::float8 as requests from fresh group by engine, hour`,
};

const HISTOGRAMS = {
  name: 'roll-up-histograms',
  text: `select l.engine, l.hour::text as hour, json_agg(json_build_array(l.step, l.requests) order by l.step) as histogram
         from unnest($1::text[], $2::timestamptz[]) as touched(engine, hour)
         join engine_hour_latency l on l.engine = touched.engine and l.hour = touched.hour
         group by l.engine, l.hour`,
};

const SET_PERCENTILES = {
  name: 'roll-up-set-percentiles',
  text: `update engine_hour h set p50_ms = p.p50, p95_ms = p.p95, p99_ms = p.p99
         from unnest($1::text[], $2::timestamptz[], $3::float8[], $4::float8[], $5::float8[]) as p(engine, hour, p50, p95, p99)
         where h.engine = p.engine and h.hour = p.hour`,
};

/** Counts up the attempts of the transactions from `from` up to, not including, `until`; answers how many there were. */
export async function fold(client: PoolClient, from: string, until: string): Promise<number> {
  const touched = await query<{ engine: string; hour: string; requests: number }>(client, FOLD, [from, until]);
  if (touched.length === 0) return 0;
  const hours = await query<{ engine: string; hour: string; histogram: Histogram }>(client, HISTOGRAMS, [
    touched.map(({ engine }) => engine),
    touched.map(({ hour }) => hour),
  ]);
  const share = (p: number) => hours.map(({ histogram }) => percentile(histogram, p));
  const keys = [hours.map(({ engine }) => engine), hours.map(({ hour }) => hour)];
  await query(client, SET_PERCENTILES, [...keys, share(0.5), share(0.95), share(0.99)]);
  return touched.reduce((sum, { requests }) => sum + requests, 0);
}
