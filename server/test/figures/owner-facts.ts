import type { Pool } from '../../src/database/pool.ts';
import type { Days, Summary } from './lists.ts';

/** What an owner's figures are by their definitions: counted from the requests and the ledger, without any roll-up. */

const USD = (nano: string) => `(coalesce(${nano}, 0) / 1e9)::float8`;
const IS_NOT_READ = `(status = 'failed' or status = 'rejected')`;
const INTO_WALLET = `case when credit = 'wallet' then amount when debit = 'wallet' then -amount else 0 end`;
const INTO_DEBT = `case when debit = 'receivable' then amount when credit = 'receivable' then -amount else 0 end`;

const DAY = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`;
const SIDES = { byDay: DAY, byEngine: 'engine', byKey: `coalesce(key_id, '')` } as const;

/** Everything that ended and was accepted in these days (UTC), as a whole and from each side. */
export async function usageFacts(pool: Pool, accountId: string, { from, to }: Days): Promise<Summary> {
  const figures = `count(*)::float8 as requests, coalesce(sum(pages), 0)::float8 as pages,
    count(*) filter (where ${IS_NOT_READ})::float8 as failed, ${USD('sum(cost)')} as cost,
    ${USD(`sum(cost) filter (where ${IS_NOT_READ})`)} as "chargedOnFailures"`;
  const mine = `from ocr_request where account_id = $1 and status not in ('queued', 'processing')
    and ${DAY} >= $2 and ${DAY} <= $3`;
  const read = async (sql: string) => (await pool.query<{ of: string }>(sql, [accountId, from, to])).rows;
  const [total] = await read(`select '' as of, null as label, ${figures} ${mine}`);
  const byDayAndEngine = await read(`select ${DAY} as day, engine, count(*)::float8 as requests,
    coalesce(sum(pages), 0)::float8 as pages, ${USD('sum(cost)')} as cost ${mine} group by 1, 2`);
  const sides: Record<string, { of: string }[]> = {};
  for (const [side, of] of Object.entries(SIDES)) {
    const label = side === 'byKey' ? `(select label from api_key k where k.id = slice.of)` : 'null';
    const slices = `select ${of} as of, ${figures} ${mine} group by 1`;
    const rows = await read(`select slice.of, ${label} as label, requests, pages, failed, cost, "chargedOnFailures"
      from (${slices}) slice order by of`);
    sides[side] = rows;
  }
  return { from, to, total, ...sides, byDayAndEngine } as unknown as Summary; // the sides have their names
}

/** The balance from the ledger, what is held from the open requests, what was spent from all of them. */
export async function balanceFacts(pool: Pool, accountId: string) {
  const { rows } = await pool.query(
    `with moved as (
       select sum(${INTO_WALLET}) as posted, sum(${INTO_DEBT}) as owed from ledger_transfer where account_id = $1
     ),
     sent as (
       select coalesce(sum(hold) filter (where finished_at is null), 0) as held, sum(cost) as spent
       from ocr_request where account_id = $1
     )
     select ${USD('posted - held')} as available, ${USD('held')} as held, ${USD('owed')} as owed, ${USD('spent')} as spent
     from moved cross join sent`,
    [accountId],
  );
  return rows[0];
}

/** Every line of the ledger, newest first, with what the wallet held after it; then those of some days. */
export async function ledgerFacts(pool: Pool, accountId: string, days: Days | null) {
  const { rows } = await pool.query(
    `select id, kind, debit, credit, amount, "requestId", reason, "createdAt", "balanceAfter" from (
       select id::text as id, id as place, kind, debit, credit, ${USD('amount')} as amount, request_id as "requestId", reason,
         created_at as "createdAt", ${USD(`sum(${INTO_WALLET}) over (order by id)`)} as "balanceAfter"
       from ledger_transfer where account_id = $1
     ) line
     where $2::text is null or to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD') between $2 and $3
     order by place desc`,
    [accountId, days?.from ?? null, days?.to ?? null],
  );
  return rows.map(({ createdAt, ...line }) => ({ ...line, createdAt: createdAt.toISOString() }));
}

/** What keys were used for on the last thirty days (UTC), as on the page of usage. */
export async function keyFacts(pool: Pool, accountId: string) {
  const { rows } = await pool.query(
    `select k.id, count(r.id)::float8 as requests, ${USD('sum(r.cost)')} as spent from api_key k
     left join ocr_request r on r.key_id = k.id and r.finished_at is not null
       and (r.created_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - 30
     where k.account_id = $1 group by k.id order by k.id`,
    [accountId],
  );
  return rows;
}

/** What the requests that count in a key's limit took from the wallet, by the ledger, and what is held for those that are open. */
export async function budgetFacts(pool: Pool, keyId: string, amount: number) {
  const { rows } = await pool.query<{ spent: number; held: number }>(
    `with counted as (select id, hold, finished_at from ocr_request where key_id = $1 and budget_term is not null)
     select (select ${USD(`-sum(${INTO_WALLET})`)} from ledger_transfer where request_id in (select id from counted)) as spent,
       (select ${USD('sum(hold)')} from counted where finished_at is null) as held`,
    [keyId],
  );
  return { amount, spent: rows[0]?.spent ?? null, held: rows[0]?.held ?? null };
}

const ROW = `r.id, r.created_at as "createdAt", r.finished_at as "finishedAt", r.status, r.error_code as "errorCode",
  r.provider_error as "providerError", r.engine, r.requested_engine as "requestedEngine", r.mode, r.pages,
  r.pages_total as "pagesTotal", ${USD('r.cost')} as cost, r.provider_latency_ms as "providerLatencyMs", r.key_id as "keyId",
  (select label from api_key k where k.id = r.key_id) as "keyLabel"`;

/** Requests newest first: those of some days that were charged though they were not read, or all. */
export async function requestFacts(pool: Pool, accountId: string, wish: { charged: Days } | 'all') {
  const days = wish === 'all' ? null : wish.charged;
  const { rows } = await pool.query(
    `select ${ROW} from ocr_request r where r.account_id = $1
       and ($2::text is null or (${IS_NOT_READ} and r.cost > 0 and ${DAY} between $2 and $3)) order by r.id desc`,
    [accountId, days?.from ?? null, days?.to ?? null],
  );
  return rows.map(({ createdAt, finishedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }));
}

/** One request of each status, the newest, with what its page shows of its attempts, its money and its pages. */
export async function detailFacts(pool: Pool, accountId: string) {
  const { rows } = await pool.query(
    `with chosen as (
       select distinct on (status) * from ocr_request where account_id = $1 order by status, id desc
     )
     select r.id, r.status, r.pages, r.pages_total as "pagesTotal", ${USD('r.cost')} as cost, ${USD('r.hold')} as hold,
       r.provider_latency_ms as "providerLatencyMs", r.confidence,
       (select coalesce(json_agg(json_build_object('number', number, 'pages', pages, 'providerLatencyMs', provider_latency_ms,
          'billing', billing) order by number), '[]') from attempt where request_id = r.id) as attempts,
       (select coalesce(json_agg(json_build_object('kind', kind, 'amount', ${USD('amount')}) order by id), '[]')
        from ledger_transfer where request_id = r.id) as transfers,
       (select coalesce(json_agg(json_build_object('number', number, 'cost', ${USD('cost')}) order by number), '[]')
        from ocr_page where request_id = r.id) as "pageResults"
     from chosen r order by r.status`,
    [accountId],
  );
  return rows;
}
