import { type Pool, query } from '../database/pool.ts';
import { idAboveThoseBefore, lowestIdFrom } from '../platform/ids.ts';
import type { UsageHistoryPage, UsageRecord } from './usage-history.type.ts';
import type { UsageQuery } from './usage-period.ts';

/**
 * The requests of one account in a span of ids. Finished ones are found by `ocr_request_account_index`, those that wait
 * by `ocr_request_queue_index`, and those at work, which are few, by `ocr_request_work_index`.
 */
const MINE = `
  select id, created_at, engine, status, pages, cost, provider_latency_ms, mode, key_id from ocr_request
  where account_id = $1 and id >= $2 and id < $3 and finished_at is not null
    and created_at >= $4 and created_at < $5 and ($6::text is null or engine = $6)
  union all
  select id, created_at, engine, status, pages, cost, provider_latency_ms, mode, key_id from ocr_request
  where account_id = $1 and id >= $2 and id < $3 and status = 'queued'
    and created_at >= $4 and created_at < $5 and ($6::text is null or engine = $6)
  union all
  select id, created_at, engine, status, pages, cost, provider_latency_ms, mode, key_id from ocr_request
  where account_id = $1 and id >= $2 and id < $3 and status = 'processing'
    and created_at >= $4 and created_at < $5 and ($6::text is null or engine = $6)`;

const TOTALS = {
  name: 'usage-rows-totals',
  text: `select count(*) as total, coalesce(sum(cost), 0)::bigint as "totalCost" from (${MINE}) mine`,
};

const PAGE = {
  name: 'usage-rows-page',
  text: `select m.id as "requestId", m.created_at as "createdAt", m.engine, m.status, m.pages, m.cost,
           m.provider_latency_ms as "providerLatencyMs", m.mode, k.label as "keyLabel"
         from (select * from (${MINE}) mine order by id desc limit $7 offset $8) m
         left join api_key k on k.id = m.key_id order by m.id desc`,
};

/** A page of the usage history from the requests themselves, as long as they are not all counted. */
export async function usageHistoryOfRows(
  pool: Pool,
  { accountId, period, engine, page, perPage }: UsageQuery,
): Promise<UsageHistoryPage> {
  const { start, end } = period;
  const span = [accountId, lowestIdFrom(start), idAboveThoseBefore(end), start, end, engine];
  const [[totals], records] = await Promise.all([
    query<{ total: bigint; totalCost: bigint }>(pool, TOTALS, span),
    query<UsageRecord>(pool, PAGE, [...span, perPage, (page - 1) * perPage]),
  ]);
  if (!totals) throw new Error('the totals are missing');
  return { records, page, perPage, ...totals };
}
