import type { PoolClient } from 'pg';
import { isForeign, settledUntil } from '../database/horizon.ts';
import { query, queryOne } from '../database/pool.ts';
import { COLUMNS, COUNTS, DAY, OF_REQUEST, SUMS } from './usage-counts.ts';

/** Requests that were there before their usage was recorded are counted so many at a time. */
const BATCH = 5000;
/** Longer than the longest window of an engine: 720 hours. */
const KEEP_HOURS = 744;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** One process counts; the others have nothing to wait for. */
const HOLD_MARK = {
  name: 'usage-hold-mark',
  text: `select recorded_before as mark, counted_to as "countedTo", complete from usage_mark for update skip locked`,
};

/** Adds the rows of `fresh(account_id, hour, engine, key_id, counts)` to every roll-up. */
const ADD = `
  days as (
    insert into usage_day as t (account_id, day, engine, key_id, ${COLUMNS}, by_hour)
    select account_id, ${DAY}, engine, key_id, ${SUMS}, array[${HOURS.map(
      (hour) =>
        `coalesce(sum(requests) filter (where extract(hour from hour at time zone 'UTC') = ${hour}), 0)::bigint`,
    )}]
    from fresh group by 1, 2, 3, 4
    on conflict (account_id, day, engine, key_id) do update set
      ${COUNTS.map((count) => `${count} = t.${count} + excluded.${count}`)},
      by_hour = array[${HOURS.map((hour) => `t.by_hour[${hour + 1}] + excluded.by_hour[${hour + 1}]`)}]
  ),
  totals as (
    insert into usage_total as t (account_id, requests, pages, cost)
    select account_id, sum(requests), sum(pages), sum(cost) from fresh group by 1
    on conflict (account_id) do update set requests = t.requests + excluded.requests, pages = t.pages + excluded.pages,
      cost = t.cost + excluded.cost
  ),
  costs as (
    insert into engine_hour_cost as t (engine, hour, cost)
    select engine, hour, sum(cost) from fresh
    where hour >= now() - make_interval(hours => ${KEEP_HOURS}) group by 1, 2
    on conflict (engine, hour) do update set cost = t.cost + excluded.cost
  )`;

/** Counts what was recorded from $1 up to, not including, $2, and removes it. */
const FOLD = {
  name: 'usage-fold',
  text: `
  with fresh as materialized (
    select * from usage_event where recorded_xid >= $1::xid8 and recorded_xid < $2::xid8
  ), ${ADD},
  counted as (delete from usage_event where recorded_xid < $2::xid8),
  old as (delete from engine_hour_cost where hour < now() - make_interval(hours => ${KEEP_HOURS}))
  select count(*)::int as counted from fresh`,
};

/**
 * Counts the requests behind $1 as they are now, less what events say of them in the same snapshot: the events are
 * counted later, so a request that ends or changes meanwhile counts once.
 */
const COUNT_BATCH = {
  name: 'usage-count-batch',
  text: `
  with batch as materialized (
    select id, finished_at, created_at, account_id, engine, key_id, pages, status, cost
    from ocr_request where id > $1 order by id limit ${BATCH}
  ),
  fresh as materialized (
    select account_id, hour, engine, key_id, ${SUMS} from (
      select ${OF_REQUEST} from batch where finished_at is not null
      union all
      select account_id, hour, engine, key_id, ${COUNTS.map((count) => `-${count}`)} from usage_event
      where request_id > $1 and request_id <= (select max(id) from batch)
    ) parts group by 1, 2, 3, 4
  ), ${ADD}
  select max(id) as "countedTo", count(*)::int as counted from batch`,
};

const MOVE_MARK = { name: 'usage-move-mark', text: 'update usage_mark set recorded_before = $1::xid8' };
const MOVE_COUNTED = {
  name: 'usage-move-counted',
  text: 'update usage_mark set counted_to = coalesce($1, counted_to), complete = $2',
};

const START_AGAIN = [
  'delete from usage_event',
  'delete from usage_day',
  'delete from usage_total',
  'delete from engine_hour_cost',
  `update usage_mark set recorded_before = '0', counted_to = '', complete = false`,
];

/**
 * Counts what finished requests used since the last time, in the transaction of the client. Answers how many rows were
 * counted while there may be more, 0 otherwise.
 */
export async function foldUsage(client: PoolClient): Promise<number> {
  const [held] = await query<{ mark: string; countedTo: string; complete: boolean }>(client, HOLD_MARK, []);
  if (!held) return 0;
  if (await isForeign(client, held.mark)) {
    for (const text of START_AGAIN) await client.query(text);
    return 1;
  }
  if (!held.complete) return countBatch(client, held.countedTo);
  const until = await settledUntil(client);
  const { counted } = await queryOne<{ counted: number }>(client, FOLD, [held.mark, until]);
  if (counted > 0) await query(client, MOVE_MARK, [until]);
  return 0;
}

async function countBatch(client: PoolClient, after: string): Promise<number> {
  const [row] = await query<{ countedTo: string | null; counted: number }>(client, COUNT_BATCH, [after]);
  const counted = row?.counted ?? 0;
  await query(client, MOVE_COUNTED, [row?.countedTo ?? null, counted < BATCH]);
  return counted < BATCH ? 0 : counted;
}
