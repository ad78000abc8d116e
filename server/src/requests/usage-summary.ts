import type { NanoUsd } from '../database/money.ts';
import { type Pool, query } from '../database/pool.ts';
import { lowestId } from '../ids.ts';
import type { Period } from './usage-period.ts';
import type { UsageSlice, UsageSummary } from './usage-summary.type.ts';

const CLOCKS_DIFFER_MS = 60 * 60 * 1000;
const DAY_MS = 24 * CLOCKS_DIFFER_MS;

/** One walk along the account's index; the four views are grouped from the same rows. */
const SUMMARY = {
  name: 'usage-summary',
  text: `
  with mine as (
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, engine, coalesce(key_id, '') as key_id,
      pages, cost, status in ('failed', 'rejected') as failed
    from ocr_request where account_id = $1 and id >= $2 and id < $3 and finished_at is not null
      and created_at >= $4 and created_at < $5
  ),
  slice as (
    select grouping(day) = 0 as "isDay", grouping(engine) = 0 as "isEngine", grouping(key_id) = 0 as "isKey",
      coalesce(day, engine, key_id, '') as of, count(*)::float8 as requests, coalesce(sum(pages), 0)::float8 as pages,
      count(*) filter (where failed)::float8 as failed, coalesce(sum(cost), 0)::bigint as cost,
      coalesce(sum(cost) filter (where failed), 0)::bigint as "chargedOnFailures"
    from mine group by grouping sets ((day), (engine), (key_id), ())
  )
  select s.*, case when s."isKey" then (select k.label from api_key k where k.id = s.of) end as label from slice s`,
};

type Row = UsageSlice & { isDay: boolean; isEngine: boolean; isKey: boolean };

/** What an account used in a period, seen from four sides. */
export async function usageSummary(pool: Pool, accountId: string, { start, end }: Period): Promise<UsageSummary> {
  const rows = await query<Row & Record<string, unknown>>(pool, SUMMARY, [
    accountId,
    lowestId('ocr_', new Date(start.getTime() - CLOCKS_DIFFER_MS)),
    lowestId('ocr_', new Date(end.getTime() + CLOCKS_DIFFER_MS)),
    start,
    end,
  ]);
  const total = rows.find(({ isDay, isEngine, isKey }) => !isDay && !isEngine && !isKey);
  if (!total) throw new Error('the grouping without columns has one row');
  return {
    from: dayOf(start),
    to: dayOf(new Date(end.getTime() - DAY_MS)),
    total,
    byDay: rows.filter(({ isDay }) => isDay).sort((a, b) => (a.of < b.of ? -1 : 1)),
    byEngine: rows.filter(({ isEngine }) => isEngine).sort(dearestFirst),
    byKey: rows.filter(({ isKey }) => isKey).sort(dearestFirst),
  };
}

function dearestFirst(a: { cost: NanoUsd; of: string }, b: { cost: NanoUsd; of: string }): number {
  if (a.cost === b.cost) return a.of < b.of ? -1 : 1;
  return a.cost > b.cost ? -1 : 1;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
