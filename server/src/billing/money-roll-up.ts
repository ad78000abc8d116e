import type { PoolClient } from 'pg';
import { isForeign, settledUntil } from '../database/horizon.ts';
import { query, queryOne } from '../database/pool.ts';

/** Transfers that were there before are counted so many at a time. */
const BATCH = 20_000;

/** Transfers that no roll-up has counted yet: a range of `ledger_transfer_recorded_index`. */
export const UNROLLED_TRANSFERS = `recorded_xid > '0' and recorded_xid >= (select recorded_before from money_mark)
  and id > (select above_id from money_mark)`;

const HOLD_MARK = {
  name: 'money-hold-mark',
  text: `select recorded_before as mark, above_id as "aboveId", counted_to as "countedTo", complete
         from money_mark for update skip locked`,
};

/** Adds the rows of `fresh(created_at, kind, amount)`. */
const ADD = `
  hours as (
    insert into money_hour as t (hour, kind, amount)
    select date_trunc('hour', created_at, 'UTC'), kind, sum(amount) from fresh group by 1, 2
    on conflict (hour, kind) do update set amount = t.amount + excluded.amount
  )`;

const FOLD = {
  name: 'money-fold',
  text: `
  with fresh as materialized (
    select created_at, kind, amount from ledger_transfer
    where recorded_xid > '0' and recorded_xid >= $1::xid8 and recorded_xid < $2::xid8 and id > $3
  ), ${ADD}
  select count(*)::int as counted from fresh`,
};

const COUNT_BATCH = {
  name: 'money-count-batch',
  text: `
  with fresh as materialized (
    select id, created_at, kind, amount from ledger_transfer where id > $1 and id <= $2 order by id limit ${BATCH}
  ), ${ADD}
  select max(id) as "countedTo", count(*)::int as counted from fresh`,
};

const MOVE_MARK = { name: 'money-move-mark', text: 'update money_mark set recorded_before = $1::xid8' };
const MOVE_COUNTED = {
  name: 'money-move-counted',
  text: 'update money_mark set counted_to = coalesce($1::bigint, counted_to), complete = $2',
};

/** Every transfer that is there is counted by its id from now on. */
const START_AGAIN = [
  'delete from money_hour',
  `update money_mark set recorded_before = '0', counted_to = 0, complete = false,
     above_id = (select coalesce(max(id), 0) from ledger_transfer)`,
];

interface Mark {
  readonly mark: string;
  readonly aboveId: bigint;
  readonly countedTo: bigint;
  readonly complete: boolean;
}

/** Counts the transfers since the last time, as `foldUsage` does requests. Answers more than 0 while there may be more. */
export async function foldMoney(client: PoolClient): Promise<number> {
  const [held] = await query<Mark>(client, HOLD_MARK, []);
  if (!held) return 0;
  if (await isForeign(client, held.mark)) {
    for (const text of START_AGAIN) await client.query(text);
    return 1;
  }
  if (!held.complete) return countBatch(client, held);
  const until = await settledUntil(client);
  const { counted } = await queryOne<{ counted: number }>(client, FOLD, [held.mark, until, held.aboveId]);
  if (counted > 0) await query(client, MOVE_MARK, [until]);
  return 0;
}

async function countBatch(client: PoolClient, { countedTo, aboveId }: Mark): Promise<number> {
  const [row] = await query<{ countedTo: bigint | null; counted: number }>(client, COUNT_BATCH, [countedTo, aboveId]);
  const counted = row?.counted ?? 0;
  await query(client, MOVE_COUNTED, [row?.countedTo ?? null, counted < BATCH]);
  return counted < BATCH ? 0 : counted;
}
