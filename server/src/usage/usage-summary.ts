import { type Pool, query } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import { idAboveThoseBefore, lowestIdFrom } from '../platform/ids.ts';
import type { NanoUsd } from '../platform/money.ts';
import { DAY_MS } from '../platform/numbers/times.ts';
import { COLUMNS, DAY, OF_REQUEST, UNROLLED_USAGE } from './usage-counts.ts';
import type { Period } from './usage-period.ts';
import type { UsageDayOfEngine, UsageSlice, UsageSummary } from './usage-summary.type.ts';

const SLICES = `
  slice as (
    select grouping(day) = 0 as "isDay", grouping(engine) = 0 as "isEngine", grouping(key_id) = 0 as "isKey",
      grouping(day, engine) = 0 as "isDayOfEngine", engine,
      coalesce(day, engine, key_id, '') as of, coalesce(sum(requests), 0)::float8 as requests,
      coalesce(sum(pages), 0)::float8 as pages, coalesce(sum(failed), 0)::float8 as failed,
      coalesce(sum(cost), 0)::bigint as cost, coalesce(sum(failed_cost), 0)::bigint as "chargedOnFailures"
    from mine group by grouping sets ((day), (engine), (key_id), (), (day, engine))
    having coalesce(sum(requests), 0) > 0 or grouping(day, engine, key_id) = 7
  )
  select s.*, case when s."isKey" then (select k.label from api_key k where k.id = s.of) end as label from slice s`;

/** The days that are counted, and what was recorded since. */
const SUMMARY = {
  name: 'usage-summary',
  text: `
  with mine as (
    select to_char(day, 'YYYY-MM-DD') as day, engine, key_id, ${COLUMNS} from usage_day
    where account_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
      and day < ($3::timestamptz at time zone 'UTC')::date
    union all
    select to_char(${DAY}, 'YYYY-MM-DD'), engine, key_id, ${COLUMNS} from usage_event
    where account_id = $1 and ${UNROLLED_USAGE} and hour >= $2 and hour < $3
  ), ${SLICES}`,
};

/** The same from the requests themselves, as long as they are not all counted: one walk along the account's index. */
const SUMMARY_OF_ROWS = {
  name: 'usage-summary-of-rows',
  text: `
  with mine as (
    select to_char(${DAY}, 'YYYY-MM-DD') as day, engine, key_id, ${COLUMNS} from (
      select ${OF_REQUEST} from ocr_request where account_id = $1 and id >= $4 and id < $5 and finished_at is not null
        and created_at >= $2 and created_at < $3
    ) finished
  ), ${SLICES}`,
};

type Side = 'isDay' | 'isEngine' | 'isKey';
type Row = UsageSlice & Readonly<Record<Side | 'isDayOfEngine', boolean>> & { readonly engine: string };

/** What an account used in a period, seen from its sides. */
export async function usageSummary(
  { pool, ready }: { readonly pool: Pool; readonly ready: ReportsReady },
  accountId: string,
  { start, end }: Period,
): Promise<UsageSummary> {
  const span = [lowestIdFrom(start), idAboveThoseBefore(end)];
  const rows = (await ready.look())
    ? await query<Row>(pool, SUMMARY, [accountId, start, end])
    : await query<Row>(pool, SUMMARY_OF_ROWS, [accountId, start, end, ...span]);
  const total = rows.find(({ isDay, isEngine, isKey }) => !isDay && !isEngine && !isKey);
  if (!total) throw new Error('the grouping without columns has one row');
  return {
    from: dayOf(start),
    to: dayOf(new Date(end.getTime() - DAY_MS)),
    total,
    byDay: slicesBy(rows, 'isDay').sort((a, b) => (a.of < b.of ? -1 : 1)),
    byEngine: slicesBy(rows, 'isEngine').sort(dearestFirst),
    byKey: slicesBy(rows, 'isKey').sort(dearestFirst),
    byDayAndEngine: rows
      .filter(({ isDayOfEngine }) => isDayOfEngine)
      .map(toDayOfEngine)
      .sort(oldestFirst),
  };
}

function slicesBy(rows: readonly Row[], side: Side): Row[] {
  return rows.filter((row) => row[side] && !row.isDayOfEngine);
}

function toDayOfEngine({ of, engine, requests, pages, failed, cost }: Row): UsageDayOfEngine {
  return { day: of, engine, requests, pages, failed, cost };
}

function oldestFirst(a: UsageDayOfEngine, b: UsageDayOfEngine): number {
  if (a.day === b.day) return a.engine < b.engine ? -1 : 1;
  return a.day < b.day ? -1 : 1;
}

function dearestFirst(a: { cost: NanoUsd; of: string }, b: { cost: NanoUsd; of: string }): number {
  if (a.cost === b.cost) return a.of < b.of ? -1 : 1;
  return a.cost > b.cost ? -1 : 1;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
