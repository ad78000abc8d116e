import { notReadSql } from '../requests/model/states.ts';

/** The numbers that usage is counted in, in the order of the columns. */
export const COUNTS = ['requests', 'pages', 'failed', 'cost', 'failed_cost'] as const;

export const COLUMNS = COUNTS.join(', ');
export const SUMS = COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', ');

/** A finished row of `ocr_request` as what it adds to its account's usage, with the columns of `usage_event`. */
export const OF_REQUEST = `
  account_id, date_trunc('hour', created_at, 'UTC') as hour, engine, coalesce(key_id, '') as key_id,
  1::bigint as requests, coalesce(pages, 0)::bigint as pages, (${notReadSql()})::int::bigint as failed,
  cost, cost * (${notReadSql()})::int as failed_cost`;

/** The day of an hour, UTC. */
export const DAY = `(hour at time zone 'UTC')::date`;

/** Events that no roll-up has counted yet, those of the last seconds: a range of `usage_event_recorded_index`. */
export const UNROLLED_USAGE = 'recorded_xid >= (select recorded_before from usage_mark)';
