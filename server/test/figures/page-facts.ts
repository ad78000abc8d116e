import type { Pool } from '../../src/database/pool.ts';
import { USD } from './operator-facts.ts';

/** What pages work out of figures that are compared elsewhere, straight from the rows. */

/** What an account was charged for this UTC month so far, up to the same day of the last one, and in all of that. */
export async function monthFacts(pool: Pool, accountId: string) {
  const { rows } = await pool.query<{ now: number; then: number; all: number }>(
    `with days as (select (created_at at time zone 'UTC')::date as day, cost from ocr_request
       where account_id = $1 and finished_at is not null),
     months as (select date_trunc('month', now() at time zone 'UTC')::date as present,
       (date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date as former)
     select ${USD('sum(cost) filter (where day >= present)')} as now,
       ${USD(`sum(cost) filter (where day >= former and day < present
         and extract(day from day) <= extract(day from now() at time zone 'UTC'))`)} as then,
       ${USD('sum(cost) filter (where day >= former and day < present)')} as all
     from days cross join months`,
    [accountId],
  );
  return rows[0];
}

/** What waits by engine, as a share of all that waits, and how long that takes as fast as runs ended since then. */
export async function waitFacts(pool: Pool, hours: number) {
  const { rows } = await pool.query<{ engine: string; queued: number; share: number; drainMs: number | null }>(
    `with since as (select date_trunc('hour', now(), 'UTC') - make_interval(hours => $1) as since),
     waiting as (select engine, count(*) as queued from ocr_request where status = 'queued' group by 1),
     ended as (select engine, count(*) as ended from attempt, since where finished_at >= since group by 1)
     select engine, queued::float8 as queued, (queued::float8 / sum(queued) over ()) as share,
       (queued::float8 * extract(epoch from now() - since) * 1000 / ended)::float8 as "drainMs"
     from waiting cross join since left join ended using (engine) order by engine`,
    [hours],
  );
  return rows;
}
