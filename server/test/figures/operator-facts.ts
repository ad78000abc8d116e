import type { Pool } from '../../src/database/pool.ts';

/** What operators' figures are by their definitions: counted from attempts, checks and transfers, without any roll-up. */

/** An attempt counts unless a document or the gateway itself is to blame, or its caller, before a page was read. */
export const COUNTS = `outcome is not null and outcome <> 'unreadable' and outcome <> 'lost'
  and not (outcome = 'cancelled' and coalesce(pages, 0) = 0)`;
export const IS_ERROR = `(outcome = 'failed' or outcome = 'timeout')`;
export const ERRORS = `count(*) filter (where ${IS_ERROR})`;
/** Of one page: a job's time is that of all its pages, which are read side by side; none of what was stopped. */
export const OF_PAGE = `case when outcome = 'cancelled' then null
  else provider_latency_ms::numeric / greatest(coalesce(pages_tried, 1), 1) end`;
export const ENDED = 'coalesce(finished_at, started_at)';
export const USD = (nano: string) => `(coalesce(${nano}, 0) / 1e9)::float8`;

const percentiles = (column: string) =>
  [50, 95, 99]
    .map((share) => `percentile_cont(0.${share}) within group (order by (${column})::float8) as "p${share}Ms"`)
    .join(', ');

const RUNS = `count(*)::float8 as requests, ${ERRORS}::float8 as errors,
  (${ERRORS}::float8 / nullif(count(*), 0)) as "errorRate", ${percentiles(OF_PAGE)}`;

/** So many whole clock hours, and the one that runs. */
export const SINCE = `date_trunc('hour', now(), 'UTC') - make_interval(hours => $1)`;

/** What each engine did in the last hours; engines that did nothing are not there. */
export async function windowFacts(pool: Pool, hours: number) {
  const { rows } = await pool.query(
    `select engine as id, ${RUNS},
       (select ${USD('sum(cost)')} from ocr_request r where r.engine = a.engine and r.finished_at is not null
          and r.created_at >= ${SINCE}) as spent,
       (select coalesce(sum(calls), 0)::float8 from refused_hour f where f.engine = a.engine and f.status = 503
          and f.hour >= ${SINCE}) as unavailable
     from attempt a where ${COUNTS} and ${ENDED} >= ${SINCE} group by engine order by engine`,
    [hours],
  );
  return rows;
}

/** The same of all engines together, with the money of these hours. */
export async function overviewFacts(pool: Pool, hours: number) {
  const { rows } = await pool.query(
    `with runs as (select ${RUNS} from attempt where ${COUNTS} and ${ENDED} >= ${SINCE}),
     money as (
       select ${USD(`sum(amount) filter (where kind = 'charge' or kind = 'provider_cost')`)} as spent,
         ${USD(`sum(amount) filter (where kind = 'provider_cost')`)} as "chargedOnFailures"
       from ledger_transfer where created_at >= ${SINCE}
     ),
     debts as (
       select ${USD(`sum(case when debit = 'receivable' then amount when credit = 'receivable' then -amount else 0 end)`)} as owed
       from ledger_transfer
     )
     select requests, errors as failed, "errorRate", "p50Ms", "p95Ms", "p99Ms", spent, "chargedOnFailures", owed,
       (select coalesce(sum(calls), 0)::float8 from refused_hour where hour >= ${SINCE}) as refused
     from runs cross join money cross join debts`,
    [hours],
  );
  return rows[0];
}

/** The last whole hours (back = 0), or as many before them: the hour that runs is in neither. */
export async function periodFacts(pool: Pool, hours: number, back: 0 | 1) {
  const start = `date_trunc('hour', now(), 'UTC') - make_interval(hours => $1 * ($2 + 1))`;
  const within = (time: string) => `${time} >= ${start} and ${time} < ${start} + make_interval(hours => $1)`;
  const { rows } = await pool.query(
    `with runs as (select ${RUNS} from attempt where ${COUNTS} and ${within(ENDED)}),
     money as (
       select ${USD(`sum(amount) filter (where kind = 'charge' or kind = 'provider_cost')`)} as spent,
         ${USD(`sum(amount) filter (where kind = 'provider_cost')`)} as "chargedOnFailures"
       from ledger_transfer where ${within('created_at')}
     )
     select requests, errors as failed, "errorRate", "p50Ms", "p95Ms", "p99Ms", spent, "chargedOnFailures"
     from runs cross join money`,
    [hours, back],
  );
  return rows[0];
}

/** What requests cost their callers by the hour or UTC day of their acceptance, the present one last: so many in all. */
export async function chargeFacts(pool: Pool, engine: string, step: 'hour' | 'day', many: number) {
  const at = `date_trunc('${step}', created_at, 'UTC')`;
  const { rows } = await pool.query(
    `select ${at} as since, ${USD('sum(cost)')} as spent from ocr_request
     where engine = $2 and finished_at is not null
       and ${at} > date_trunc('${step}', now(), 'UTC') - make_interval(hours => $1)
     group by 1 order by 1`,
    [many * (step === 'day' ? 24 : 1), engine],
  );
  return rows.map(({ since, spent }) => ({ since: since.toISOString(), spent }));
}

/** Of all time, engine by engine. */
export async function statsFacts(pool: Pool) {
  const { rows } = await pool.query(
    `select engine as id, count(*)::float8 as "totalRequests", coalesce(sum(pages), 0)::float8 as "totalPages",
       (${ERRORS}::float8 / count(*)) as "errorRate", avg(${OF_PAGE})::float8 as "avgLatencyMs",
       max(${ENDED}) as "lastUsed"
     from attempt where ${COUNTS} group by engine order by engine`,
  );
  return rows.map(({ lastUsed, ...row }) => ({ ...row, lastUsed: lastUsed.toISOString() }));
}

/** Hour by hour, the current one last: so many clock hours in all. */
export async function hourFacts(pool: Pool, engine: string, hours: number) {
  const hour = `date_trunc('hour', ${ENDED}, 'UTC')`;
  const { rows } = await pool.query(
    `select ${hour} as "bucketHour", count(*)::float8 as "requestCount", ${ERRORS}::float8 as "errorCount", ${percentiles(OF_PAGE)}
     from attempt where engine = $2 and ${COUNTS} and ${hour} > date_trunc('hour', now(), 'UTC') - make_interval(hours => $1)
     group by 1 order by 1`,
    [hours, engine],
  );
  return rows.map(({ bucketHour, ...row }) => ({ bucketHour: bucketHour.toISOString(), ...row }));
}

/** Day by day (UTC), today last: so many days in all. */
export async function dayFacts(pool: Pool, engine: string, days: number) {
  const day = `(${ENDED} at time zone 'UTC')::date`;
  const { rows } = await pool.query(
    `select to_char(${day}, 'YYYY-MM-DD') as date, count(*)::float8 as "requestCount", ${ERRORS}::float8 as "errorCount", ${percentiles(OF_PAGE)}
     from attempt where engine = $2 and ${COUNTS} and ${day} > (now() at time zone 'UTC')::date - $1::int
     group by ${day} order by ${day}`,
    [days, engine],
  );
  return rows;
}

/** Day by day from the checks themselves, and all of them together. */
export async function uptimeFacts(pool: Pool, engine: string, days: number) {
  const share = `100.0 * count(*) filter (where healthy) / nullif(count(*), 0)`;
  const checks = `from engine_check where engine = $1
    and (checked_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - $2::int`;
  const { rows: data } = await pool.query(
    `select to_char(checked_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*)::float8 as "checksTotal",
       (count(*) filter (where healthy))::float8 as "checksHealthy", round(${share}, 2)::float8 as "uptimePct"
     ${checks} group by 1 order by 1`,
    [engine, days],
  );
  const { rows } = await pool.query(
    `select count(*)::float8 as "totalChecks", round(${share}, 2)::float8 as "overallUptimePct" ${checks}`,
    [engine, days],
  );
  return { ...rows[0], data };
}

/** Calls that were refused, alike ones together. */
export async function refusalFacts(pool: Pool, hours: number) {
  const { rows } = await pool.query(
    `select nullif(engine, '') as engine, nullif(account_id, '') as "accountId", nullif(key_id, '') as "keyId", status, code,
       sum(calls)::float8 as calls
     from refused_hour where hour >= ${SINCE} group by 1, 2, 3, 4, 5`,
    [hours],
  );
  return rows;
}

/** Money since midnight, and what stands open now. */
export async function moneyFacts(pool: Pool) {
  const of = (...kinds: string[]) => USD(`sum(amount) filter (where kind in (${kinds.map((kind) => `'${kind}'`)}))`);
  const { rows } = await pool.query(
    `with today as (
       select ${of('charge', 'provider_cost')} as spent, ${of('provider_cost')} as "chargedOnFailures",
         ${of('top_up')} as "toppedUp", ${of('collected')} as collected
       from ledger_transfer where (created_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date
     ),
     held as (select coalesce(sum(hold), 0) as held from ocr_request where finished_at is null),
     posted as (
       select sum(case when credit = 'wallet' then amount when debit = 'wallet' then -amount else 0 end) as posted
       from ledger_transfer
     )
     select today.*, ${USD('held')} as held, ${USD('posted - held')} as available
     from today cross join held cross join posted`,
  );
  return rows[0];
}

/** Late bills that are still to come, oldest first; what waits and what is at work. */
export async function openFacts(pool: Pool) {
  const { rows: pendingCosts } = await pool.query(
    `select id as "attemptId" from attempt where billing = 'pending' order by started_at, id limit 1000`,
  );
  const { rows: queues } = await pool.query(
    `select engine as "engineId", (count(*) filter (where status = 'queued'))::int as queued,
       (count(*) filter (where status = 'processing'))::int as running
     from ocr_request where finished_at is null group by engine order by engine`,
  );
  return { pendingCosts, queues };
}

/** The minutes of the queue, put together by fives: what was sampled on average, and the most. */
export async function queueFacts(pool: Pool, engine: string) {
  const { rows } = await pool.query(
    `with minute as (
       select t.minute, t.samples, coalesce(e.queued_sum, 0) as queued, coalesce(e.queued_max, 0) as most,
         coalesce(e.running_sum, 0) as running, e.oldest_age_max as oldest
       from queue_minute t left join queue_minute e on e.minute = t.minute and e.engine = $1 where t.engine = ''
     )
     select date_bin('5 minutes', minute, 'epoch') as at, (sum(queued)::numeric / sum(samples))::float8 as queued,
       max(most)::int as "queuedMax", (sum(running)::numeric / sum(samples))::float8 as running,
       max(oldest)::float8 as "oldestAgeSeconds"
     from minute where minute >= date_trunc('hour', now()) - interval '20 hours' and minute < date_trunc('hour', now())
     group by 1 order by 1`,
    [engine],
  );
  return rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row }));
}
