import { type Pool, query, queryOne } from '../../database/pool.ts';
import { SingleFlight } from '../../platform/concurrency/single-flight.ts';
import { COUNTED, FAULTS, HOUR, PAGE_MS, SEEN_ENGINES, UNROLLED } from './attempt-sql.ts';
import { type FailingCalls, PROVEN_FAULTS, type RecentCalls } from './health.ts';
import { type Histogram, percentile, stepSql } from './latency-scale.ts';
import type { EngineStats, HealthMetrics, LatencyBucket, UptimeDay } from './series.type.ts';

const WINDOW = 100;
/** Age of calls that tell how an engine does now. */
const RECENT = `interval '15 minutes'`;

const STATS = {
  name: 'series-stats',
  text: `
  with recursive ${SEEN_ENGINES},
  part as (
    select engine, requests, pages, errors, timed_requests, latency_sum_ms, last_used from engine_total
    where $1::text is null or engine = $1
    union all
    select seen.engine, a.* from seen cross join lateral (
      select count(*), coalesce(sum(pages), 0), count(*) filter (where outcome in ${FAULTS}), count(${PAGE_MS}),
        coalesce(sum(${PAGE_MS}), 0), max(coalesce(finished_at, started_at))
      from attempt where engine = seen.engine and ${UNROLLED} and ${COUNTED}
    ) a where seen.engine is not null and ($1::text is null or seen.engine = $1)
  )
  select engine as "engineId", sum(requests)::float8 as "totalRequests", sum(pages)::float8 as "totalPages",
    round(sum(latency_sum_ms) / nullif(sum(timed_requests), 0), 1)::float8 as "avgLatencyMs",
    round(sum(errors) / sum(requests), 4)::float8 as "errorRate", max(last_used) as "lastUsed"
  from part group by engine having sum(requests) > 0 order by engine`,
};

/**
 * Reads hours. One in which something happened since the last roll-up comes with its histogram, because its percentiles are not
 * made yet.
 */
const LATENCY = {
  name: 'series-latency',
  text: `
  with since as (select date_trunc('hour', now(), 'UTC') - make_interval(hours => $2 - 1) as hour),
  tail as materialized (
    select ${HOUR} as hour, ${stepSql(PAGE_MS)} as step, count(*) as requests,
      count(*) filter (where outcome in ${FAULTS}) as errors
    from attempt where engine = $1 and ${UNROLLED} and ${COUNTED} and ${HOUR} >= (select hour from since)
    group by 1, 2
  ),
  part as (
    select hour, requests, errors, p50_ms, p95_ms, p99_ms, false as fresh from engine_hour
    where engine = $1 and hour >= (select hour from since)
    union all
    select hour, requests, errors, null, null, null, true from tail
  )
  select hour as "bucketHour", sum(requests)::int as "requestCount", sum(errors)::int as "errorCount",
    max(p50_ms) as "p50Ms", max(p95_ms) as "p95Ms", max(p99_ms) as "p99Ms",
    case when bool_or(fresh) then coalesce((
      select json_agg(json_build_array(step, requests) order by step) from (
        select step, sum(requests) as requests from (
          select step, requests from engine_hour_latency where engine = $1 and hour = part.hour
          union all
          select step, requests from tail where tail.hour = part.hour and step is not null
        ) both_parts group by step
      ) steps), '[]') end as histogram
  from part group by hour order by hour`,
};

const UPTIME = {
  name: 'series-uptime',
  text: `select to_char(day, 'YYYY-MM-DD') as date, checks::int as "checksTotal", healthy::int as "checksHealthy",
           round(100.0 * healthy / checks, 2)::float8 as "uptimePct"
         from engine_day where engine = $1 and day > (now() at time zone 'UTC')::date - $2::int order by day`,
};

/** An SQL condition for calls that proved a fault, after which nothing was read. */
const PROVEN = `failing and provider_fault in ${PROVEN_FAULTS}`;

/** A percentile of the times per page, in tenths of a millisecond. */
const percentileSql = (share: number) =>
  `round((percentile_cont(${share}) within group (order by ${PAGE_MS}))::numeric, 1)::float8`;

const METRICS = {
  name: 'series-metrics',
  text: `with latest as (
           select request_id, outcome, provider_latency_ms, pages_tried, provider_fault, message, recorded_xid,
             case when quote_at is null then message else left(message, quote_at) || '…' end as unquoted,
             coalesce(finished_at, started_at) as ended_at,
             coalesce(finished_at, started_at) > now() - ${RECENT} as recent,
             outcome in ${FAULTS} and coalesce(pages, 0) = 0 as dead
           from attempt where engine = $1 and ${COUNTED} and outcome <> 'cancelled' order by recorded_xid desc limit ${WINDOW}
         ),
         newest as (
           select *, bool_and(dead) over (order by recorded_xid desc, ended_at desc rows unbounded preceding) as failing,
             bool_and(outcome not in ${FAULTS}) over (order by recorded_xid desc, ended_at desc rows unbounded preceding) as answered,
             row_number() over (order by recorded_xid desc, ended_at desc) = 1 as last
           from latest
         )
         select (select coalesce(sum(requests), 0) from engine_total where engine = $1)::float8
             + (select count(*) from attempt where engine = $1 and ${UNROLLED} and ${COUNTED})::float8 as "totalRequests",
           count(*)::int as "windowSize",
           round(avg(case when outcome in ${FAULTS} then 0 else 1 end)::numeric, 4)::float8 as "successRate",
           round(avg(${PAGE_MS})::numeric, 1)::float8 as "avgLatencyMs",
           ${percentileSql(0.5)} as "p50LatencyMs",
           ${percentileSql(0.95)} as "p95LatencyMs",
           ${percentileSql(0.99)} as "p99LatencyMs",
           count(*) filter (where recent)::int as "recentCalls",
           count(*) filter (where recent and outcome in ${FAULTS})::int as "recentFaults",
           count(*) filter (where recent and answered)::int as "answeredInRow",
           coalesce(sum(greatest(coalesce(pages_tried, 1), 1)) filter (where failing), 0)::int as "failedInRow",
           min(ended_at) filter (where failing) as "failingSince", max(ended_at) filter (where failing) as "lastFailedAt",
           coalesce((array_agg(provider_fault order by recorded_xid desc, ended_at desc) filter (where ${PROVEN}))[1],
             max(provider_fault) filter (where failing and last)) as "providerFault",
           coalesce((array_agg(message order by recorded_xid desc, ended_at desc) filter (where ${PROVEN}))[1],
             max(message) filter (where failing and last)) as "faultMessage",
           max(message) filter (where failing and last) as "lastMessage",
           max(request_id) filter (where failing and last) as "lastRequestId",
           coalesce((array_agg(unquoted order by recorded_xid desc, ended_at desc) filter (where ${PROVEN}))[1],
             max(unquoted) filter (where failing and last)) as "faultUnquoted",
           max(unquoted) filter (where failing and last) as "lastUnquoted"
         from newest`,
};

/** The latest calls of an engine, how many of them are of the last minutes, and those at the end that all failed. */
export type LatestCalls = HealthMetrics &
  RecentCalls &
  FailingCalls & {
    readonly lastMessage: string | null;
    /** The request that it is of. */
    readonly lastRequestId: string | null;
    /** The message of the call that `providerFault` is of. */
    readonly faultMessage: string | null;
    /** Both messages without what they quote of a provider. */
    readonly lastUnquoted: string | null;
    readonly faultUnquoted: string | null;
  };

const ofEngines = (statement: { name: string; text: string }) => ({
  name: `${statement.name}-of-engines`,
  text: `select e.engine as "ofEngine", one.* from unnest($1::text[]) as e(engine)
         cross join lateral (${statement.text.replaceAll('$1', 'e.engine')}) one`,
});
const LATENCY_OF_ENGINES = ofEngines(LATENCY);
const UPTIME_OF_ENGINES = ofEngines(UPTIME);
const METRICS_OF_ENGINES = ofEngines(METRICS);

type Of<T> = T & { ofEngine: string };
type RawBucket = LatencyBucket & { histogram: Histogram | null };

/**
 * Figures of engines: the roll-ups, and the attempts recorded since, in one statement and so in one snapshot. No statement reads
 * more, however many attempts there are. Simultaneous calls for the same public figures share one reading.
 */
export class Series {
  readonly #pool: Pool;
  readonly #flights = new SingleFlight<unknown>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Statistics of all time; null: of every engine that has worked. */
  stats(engineId: string | null): Promise<EngineStats[]> {
    return this.#once<EngineStats>(STATS, [engineId]);
  }

  /** The last clock hours, with the current one and without those that have no requests. */
  async latency(engineId: string, hours: number): Promise<LatencyBucket[]> {
    return (await this.#once<RawBucket>(LATENCY, [engineId, hours])).map(toBucket);
  }

  /** The latency of several engines, in one statement. */
  async latencyOf(engineIds: readonly string[], hours: number): Promise<LatencyBucket[][]> {
    const rows = await query<Of<RawBucket>>(this.#pool, LATENCY_OF_ENGINES, [engineIds, hours]);
    return engineIds.map((id) => rows.filter(({ ofEngine }) => ofEngine === id).map(toBucket));
  }

  /** The last days, with today and without those that have no checks. */
  uptime(engineId: string, days: number): Promise<UptimeDay[]> {
    return this.#once<UptimeDay>(UPTIME, [engineId, days]);
  }

  async uptimeOf(engineIds: readonly string[], days: number): Promise<UptimeDay[][]> {
    const rows = await query<Of<UptimeDay>>(this.#pool, UPTIME_OF_ENGINES, [engineIds, days]);
    return engineIds.map((id) => rows.filter(({ ofEngine }) => ofEngine === id));
  }

  async metricsOf(engineIds: readonly string[]): Promise<Map<string, LatestCalls>> {
    const rows = await query<Of<LatestCalls>>(this.#pool, METRICS_OF_ENGINES, [engineIds]);
    return new Map(rows.map(({ ofEngine, ...metrics }) => [ofEngine, metrics]));
  }

  metrics(engineId: string): Promise<LatestCalls> {
    return queryOne<LatestCalls>(this.#pool, METRICS, [engineId]);
  }

  #once<T extends object>(statement: { name: string; text: string }, values: readonly unknown[]): Promise<T[]> {
    const question = JSON.stringify([statement.name, values]);
    const rows = this.#flights.run(question, () => query<T>(this.#pool, statement, [...values]));
    return rows as Promise<T[]>; // the statement is part of the question
  }
}

function toBucket({ histogram, ...bucket }: RawBucket): LatencyBucket {
  return histogram ? { ...bucket, ...percentilesOf(histogram) } : bucket;
}

function percentilesOf(histogram: Histogram): Pick<LatencyBucket, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
  return { p50Ms: percentile(histogram, 0.5), p95Ms: percentile(histogram, 0.95), p99Ms: percentile(histogram, 0.99) };
}
