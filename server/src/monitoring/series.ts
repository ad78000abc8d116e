import { type Pool, query } from '../database/pool.ts';
import type { EngineStats, HealthMetrics, LatencyBucket, UptimeDay } from './series.type.ts';

/** Endings that are the engine's fault; a caller's unreadable file, or a lost process of ours, never is. */
const FAULTS = `('failed', 'timeout')`;
/** Attempts that say something about the engine. */
const COUNTED = `outcome is not null and outcome not in ('unreadable', 'lost')`;
const WINDOW = 100;

const STATS = {
  name: 'series-stats',
  text: `select engine as "engineId", count(*)::float8 as "totalRequests", coalesce(sum(pages), 0)::float8 as "totalPages",
           round(avg(provider_latency_ms)::numeric, 1)::float8 as "avgLatencyMs",
           round(avg(case when outcome in ${FAULTS} then 1 else 0 end)::numeric, 4)::float8 as "errorRate",
           max(finished_at) as "lastUsed"
         from attempt where ${COUNTED} and ($1::text is null or engine = $1) group by engine order by engine`,
};

const LATENCY = {
  name: 'series-latency',
  text: `select date_trunc('hour', finished_at, 'UTC') as "bucketHour", count(*)::int as "requestCount",
           percentile_cont(0.5) within group (order by provider_latency_ms) as "p50Ms",
           percentile_cont(0.95) within group (order by provider_latency_ms) as "p95Ms",
           percentile_cont(0.99) within group (order by provider_latency_ms) as "p99Ms",
           count(*) filter (where outcome in ${FAULTS})::int as "errorCount"
         from attempt where engine = $1 and finished_at > now() - make_interval(hours => $2) and ${COUNTED}
         group by 1 order by 1`,
};

const UPTIME = {
  name: 'series-uptime',
  text: `select to_char(checked_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*)::int as "checksTotal",
           count(*) filter (where healthy)::int as "checksHealthy",
           round(100.0 * count(*) filter (where healthy) / count(*), 2)::float8 as "uptimePct"
         from engine_check where engine = $1 and checked_at > now() - make_interval(days => $2) group by 1 order by 1`,
};

const METRICS = {
  name: 'series-metrics',
  text: `with latest as (
           select outcome, provider_latency_ms from attempt where engine = $1 and ${COUNTED}
           order by started_at desc limit ${WINDOW}
         )
         select (select count(*) from attempt where engine = $1 and ${COUNTED})::float8 as "totalRequests",
           count(*)::int as "windowSize",
           round(avg(case when outcome in ${FAULTS} then 0 else 1 end)::numeric, 4)::float8 as "successRate",
           round(avg(provider_latency_ms)::numeric, 1)::float8 as "avgLatencyMs",
           percentile_cont(0.5) within group (order by provider_latency_ms) as "p50LatencyMs",
           percentile_cont(0.95) within group (order by provider_latency_ms) as "p95LatencyMs",
           percentile_cont(0.99) within group (order by provider_latency_ms) as "p99LatencyMs"
         from latest`,
};

/** Figures about engines, from the records of their attempts and health checks. */
export class Series {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  stats(engineId: string | null): Promise<EngineStats[]> {
    return query<EngineStats & Record<string, unknown>>(this.#pool, STATS, [engineId]);
  }

  latency(engineId: string, hours: number): Promise<LatencyBucket[]> {
    return query<LatencyBucket & Record<string, unknown>>(this.#pool, LATENCY, [engineId, hours]);
  }

  uptime(engineId: string, days: number): Promise<UptimeDay[]> {
    return query<UptimeDay & Record<string, unknown>>(this.#pool, UPTIME, [engineId, days]);
  }

  async metrics(engineId: string): Promise<HealthMetrics> {
    const [row] = await query<HealthMetrics & Record<string, unknown>>(this.#pool, METRICS, [engineId]);
    if (!row) throw new Error('an aggregate answers one row');
    return row;
  }
}
