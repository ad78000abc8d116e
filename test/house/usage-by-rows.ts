import type { Pool } from '../../server/src/database/pool.ts';

/** What usage, keys, money and engines' costs are by definition: counted from the rows themselves, each time. */

const SLICES = `
  with mine as (
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, engine, coalesce(key_id, '') as key_id,
      pages, cost, status in ('failed', 'rejected') as failed
    from ocr_request where account_id = $1 and finished_at is not null and created_at >= $2 and created_at < $3
  )
  select grouping(day) = 0 as "isDay", grouping(engine) = 0 as "isEngine", grouping(key_id) = 0 as "isKey",
    coalesce(day, engine, key_id, '') as of, count(*)::float8 as requests, coalesce(sum(pages), 0)::float8 as pages,
    count(*) filter (where failed)::float8 as failed, coalesce(sum(cost), 0)::bigint as cost,
    coalesce(sum(cost) filter (where failed), 0)::bigint as "chargedOnFailures"
  from mine group by grouping sets ((day), (engine), (key_id), ())`;

export interface Slice {
  readonly isDay: boolean;
  readonly isEngine: boolean;
  readonly isKey: boolean;
  readonly of: string;
  readonly requests: number;
  readonly pages: number;
  readonly failed: number;
  readonly cost: bigint;
  readonly chargedOnFailures: bigint;
}

export async function slicesByRows(pool: Pool, accountId: string, period: { start: Date; end: Date }) {
  return (await pool.query<Slice & Record<string, unknown>>(SLICES, [accountId, period.start, period.end])).rows;
}

export async function keysByRows(pool: Pool, since: string) {
  const { rows } = await pool.query(
    `select key_id as id, count(*)::float8 as requests, coalesce(sum(pages), 0)::float8 as pages,
       coalesce(sum(cost), 0)::bigint as spent
     from ocr_request where id >= $1 and finished_at is not null and key_id is not null group by key_id`,
    [since],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** What an account was charged on each of the last days (UTC), the earliest first. */
export async function chargesByRows(pool: Pool, accountId: string, days: number): Promise<bigint[]> {
  const { rows } = await pool.query<{ cost: bigint }>(
    `select coalesce(sum(r.cost), 0)::bigint as cost
     from generate_series(1 - $2::int, 0) as day(ago)
     left join ocr_request r on r.account_id = $1 and r.finished_at is not null
       and (r.created_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date + day.ago
     group by day.ago order by day.ago`,
    [accountId, days],
  );
  return rows.map(({ cost }) => cost);
}

export async function moneyByRows(pool: Pool, since: Date) {
  const { rows } = await pool.query(
    `select coalesce(sum(amount) filter (where kind in ('charge', 'provider_cost')), 0)::bigint as spent,
       coalesce(sum(amount) filter (where kind = 'provider_cost'), 0)::bigint as "chargedOnFailures",
       coalesce(sum(amount) filter (where kind = 'top_up'), 0)::bigint as "toppedUp",
       coalesce(sum(amount) filter (where kind = 'collected'), 0)::bigint as collected
     from ledger_transfer where created_at >= $1`,
    [since],
  );
  return rows[0];
}

export async function costsByRows(pool: Pool, since: Date) {
  const { rows } = await pool.query(
    `select engine, sum(cost)::bigint as spent from ocr_request where created_at >= $1 and finished_at is not null
     group by engine having sum(cost) > 0`,
    [since],
  );
  return new Map(rows.map(({ engine, spent }) => [engine, spent]));
}
