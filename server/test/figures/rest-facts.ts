import type { Pool } from '../../src/database/pool.ts';
import { COUNTS, ERRORS, IS_ERROR, OF_PAGE, USD } from './operator-facts.ts';
import { balanceFacts } from './owner-facts.ts';

/** What REST says beside GraphQL, by its own names, counted from the rows. */

/** As the contract has it: the other figures of an engine's health are of so many of its latest runs. */
const LATEST = 100;

/**
 * How each engine did with its latest runs, by the order in which they were recorded. Which ones of a transaction come first nobody
 * says, and the demo writes an hour in one: each figure is the lowest and the highest that it can be.
 */
export async function healthFacts(pool: Pool) {
  const [fewest, most, quickest, slowest] = await Promise.all(
    [`${IS_ERROR} desc`, IS_ERROR, `${OF_PAGE} nulls last`, `${OF_PAGE} desc nulls last`].map((first) =>
      latestRuns(pool, first),
    ),
  );
  return (fewest ?? []).map(({ id, total_requests, window_size, success_rate }, n) => {
    const range = (name: LatencyName) => [quickest?.[n]?.[name] ?? null, slowest?.[n]?.[name] ?? null] as const;
    return {
      ...{ id, total_requests, window_size, success_rate: [success_rate, most?.[n]?.success_rate ?? null] as const },
      ...{ avg_latency_ms: range('avg_latency_ms'), p50_latency_ms: range('p50_latency_ms') },
      ...{ p95_latency_ms: range('p95_latency_ms'), p99_latency_ms: range('p99_latency_ms') },
    };
  });
}

type LatencyName = 'avg_latency_ms' | 'p50_latency_ms' | 'p95_latency_ms' | 'p99_latency_ms';
type Latest = Record<LatencyName, number | null> & {
  readonly id: string;
  readonly total_requests: number;
  readonly window_size: number;
  readonly success_rate: number;
};

async function latestRuns(pool: Pool, first: string): Promise<Latest[]> {
  const percentiles = [50, 95, 99].map(
    (share) => `percentile_cont(0.${share}) within group (order by (${OF_PAGE})::float8) as p${share}_latency_ms`,
  );
  const { rows } = await pool.query<Latest>(
    `with run as (
       select *, row_number() over (partition by engine order by recorded_xid desc, ${first}) as place
       from attempt where ${COUNTS}
     )
     select engine as id, (select count(*)::float8 from run where run.engine = latest.engine) as total_requests,
       count(*)::float8 as window_size, (1 - ${ERRORS}::numeric / count(*))::float8 as success_rate,
       avg(${OF_PAGE})::float8 as avg_latency_ms, ${percentiles.join(', ')}
     from run latest where place <= ${LATEST} group by engine order by engine`,
  );
  return rows;
}

/** All that an account ever sent and spent, and what it has. */
export async function totalsFacts(pool: Pool, accountId: string) {
  const { available } = await balanceFacts(pool, accountId);
  const { rows } = await pool.query(
    `select ${USD('sum(cost)')} as total_spent_usd, count(*)::float8 as total_requests, coalesce(sum(pages), 0)::float8 as total_pages
     from ocr_request where account_id = $1`,
    [accountId],
  );
  return { balance_usd: available, ...rows[0], period: 'all_time' };
}

/** Alerts that tell callers something of an engine; those of one engine and impact that overlap are one incident. */
export async function incidentFacts(pool: Pool) {
  const { rows } = await pool.query(
    `with told as (
       select engine, case kind when 'engine_down' then 'down' when 'error_rate' then 'failing' when 'latency_p95_ms' then 'slow' end as impact,
         began_at, coalesce(ended_at, 'infinity') as ended_at
       from alert where engine is not null and coalesce(ended_at, 'infinity') >= now() - interval '90 days'
     ),
     marked as (
       select *, began_at > max(ended_at) over (partition by engine, impact order by began_at rows between unbounded preceding and 1 preceding)
         is not false as is_new
       from told where impact is not null
     ),
     numbered as (select *, sum(is_new::int) over (partition by engine, impact order by began_at) as incident from marked)
     select engine as engine_id, impact, min(began_at) as began_at, nullif(max(ended_at), 'infinity') as ended_at
     from numbered group by engine, impact, incident order by min(began_at) desc, engine, impact limit 100`,
  );
  return rows.map(({ began_at, ended_at, ...row }) => ({
    ...row,
    began_at: began_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }));
}
