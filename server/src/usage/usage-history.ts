import { type Pool, query, queryOne } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import { idAboveThoseBefore, lowestIdFrom } from '../platform/ids.ts';
import { HOUR_MS } from '../platform/numbers/times.ts';
import { DAY, UNROLLED_USAGE } from './usage-counts.ts';
import type { UsageHistoryPage, UsageRecord } from './usage-history.type.ts';
import { usageHistoryOfRows } from './usage-history-rows.ts';
import type { UsageQuery } from './usage-period.ts';

const open = (status: 'queued' | 'processing') => `
    select date_trunc('hour', created_at, 'UTC'), 1, cost from ocr_request
    where account_id = $1 and status = '${status}' and created_at >= $2 and created_at < $3
      and ($4::text is null or engine = $4)`;

/**
 * How many requests there are, and in which hours those of the page are: counted from the newest day down, and by hours
 * only in the days that the page touches.
 */
const LOCATE = {
  name: 'usage-locate',
  text: `
  with part as materialized (
    select day, requests, cost, by_hour from usage_day
    where account_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
      and day < ($3::timestamptz at time zone 'UTC')::date and ($4::text is null or engine = $4)
  ),
  fresh as materialized (
    select hour, sum(requests)::bigint as requests, sum(cost)::bigint as cost from (
      select hour, requests, cost from usage_event
      where account_id = $1 and ${UNROLLED_USAGE} and hour >= $2 and hour < $3 and ($4::text is null or engine = $4)
      union all ${open('queued')}
      union all ${open('processing')}
    ) parts group by hour
  ),
  days as (
    select day, sum(requests)::bigint as requests, sum(cost)::bigint as cost from (
      select day, requests, cost from part union all select ${DAY}, requests, cost from fresh
    ) parts group by day
  ),
  running as (select *, sum(requests) over (order by day desc) as upto from days),
  touched as (
    select day, upto - requests as before from running
    where requests > 0 and upto > $5::bigint and upto - requests < $5::bigint + $6::int
  ),
  hours as (
    select hour, sum(requests)::bigint as requests from (
      select (p.day + make_interval(hours => h.number::int - 1)) at time zone 'UTC' as hour, h.requests
      from part p join touched t on t.day = p.day cross join lateral unnest(p.by_hour) with ordinality h(requests, number)
      where h.requests <> 0
      union all
      select hour, requests from fresh where ${DAY} in (select day from touched)
    ) parts group by hour
  ),
  placed as (
    select hour, requests, (select min(before) from touched) + sum(requests) over (order by hour desc) as upto from hours
  )
  select coalesce(sum(requests), 0)::bigint as total, coalesce(sum(cost), 0)::bigint as "totalCost", (
      select coalesce(json_agg(json_build_object('hour', extract(epoch from hour) * 1000,
        'skip', greatest(0, $5::bigint - (upto - requests)),
        'until', least(requests, $5::bigint + $6::int - (upto - requests))) order by hour desc), '[]')
      from placed where requests > 0 and upto > $5::bigint and upto - requests < $5::bigint + $6::int
    ) as picks
  from days`,
};

const COLUMNS = 'id, created_at, engine, status, pages, cost, provider_latency_ms, mode, key_id';

const openRows = (status: 'queued' | 'processing') => `
    select ${COLUMNS} from ocr_request where account_id = $1 and status = '${status}' and ($7::text is null or engine = $7)`;

/**
 * Ended ones by the account's index, an hour at a time; its two columns are compared as one, for which no other index
 * will do: by their ids alone, those of all accounts would be read. The open ones are few.
 */
const RECORDS = {
  name: 'usage-records',
  text: `
  with open as materialized (${openRows('queued')} union all ${openRows('processing')})
  select m.id as "requestId", m.created_at as "createdAt", m.engine, m.status, m.pages, m.cost,
    m.provider_latency_ms as "providerLatencyMs", m.mode, k.label as "keyLabel"
  from unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) as p(start, low, high, skip, until)
  cross join lateral (
    select * from (
      (select ${COLUMNS} from ocr_request
       where (account_id, id) >= ($1::uuid, p.low) and (account_id, id) < ($1::uuid, p.high) and finished_at is not null
         and created_at >= p.start and created_at < p.start + interval '1 hour' and ($7::text is null or engine = $7)
       order by account_id desc, id desc limit p.until)
      union all
      select * from open where created_at >= p.start and created_at < p.start + interval '1 hour'
    ) mine order by id desc limit p.until - p.skip offset p.skip
  ) m left join api_key k on k.id = m.key_id order by p.start desc, m.id desc`,
};

/** The rows of one hour, newest first, that are on the page: from `skip` up to, not including, `until`. */
interface Pick {
  readonly hour: number;
  readonly skip: number;
  readonly until: number;
}

/** What an account sent, request by request: by the hour in which they were accepted, and in it by their ids. */
export class UsageHistory {
  readonly #pool: Pool;
  readonly #ready: ReportsReady;

  constructor(pool: Pool, ready: ReportsReady) {
    this.#pool = pool;
    this.#ready = ready;
  }

  async read(wanted: UsageQuery): Promise<UsageHistoryPage> {
    if (!(await this.#ready.look())) return usageHistoryOfRows(this.#pool, wanted);
    const { accountId, period, engine, page, perPage } = wanted;
    const located = await queryOne<{ total: bigint; totalCost: bigint; picks: Pick[] }>(this.#pool, LOCATE, [
      accountId,
      period.start,
      period.end,
      engine,
      BigInt(page - 1) * BigInt(perPage),
      perPage,
    ]);
    const { picks, ...totals } = located;
    const records = picks.length === 0 ? [] : await this.#records(accountId, engine, picks);
    return { records, page, perPage, ...totals };
  }

  #records(accountId: string, engine: string | null, picks: readonly Pick[]): Promise<UsageRecord[]> {
    return query<UsageRecord>(this.#pool, RECORDS, [
      accountId,
      picks.map(({ hour }) => new Date(hour)),
      picks.map(({ hour }) => lowestIdFrom(new Date(hour))),
      picks.map(({ hour }) => idAboveThoseBefore(new Date(hour + HOUR_MS))),
      picks.map(({ skip }) => skip),
      picks.map(({ until }) => until),
      engine,
    ]);
  }
}
