import { Client } from 'pg';
import { divideFrom, monthAhead } from '../../test/house/month-parts.ts';

/** Accounts beside that of the bench, which has every tenth request. */
export const ACCOUNTS = 1000;
/** They came over so many months, and this one. */
const MONTHS = 11;
const AT_ONCE = 100_000;
const TOP_UP = 1_000_000_000_000;
const COST = 10;

const ACCOUNT = `('00000000-0000-4000-9000-' || lpad(to_hex(n % ${ACCOUNTS}), 12, '0'))::uuid`;

/** $1 and $2: the first and the last of this batch; $3: how many in all; $4 and $6: since when and until; $5: the account of the bench. */
const STORED = `
  stored as (
    select n, at, left(lowest_request_id(at), 14) || lpad(n::text, 16, '0') as id, n % 100 = 10 as failed,
      case when n % 10 = 0 then $5::uuid else ${ACCOUNT} end as account
    from (
      select n, $4::timestamptz + ($6::timestamptz - $4::timestamptz) * (n::float8 / $3::int) as at from generate_series($1::int, $2::int) n) one
  )`;

const FILL = [
  `insert into ocr_request (id, account_id, idempotency_key, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
     pages_total, text_retained, created_at, started_at, finished_at)
   select id, account, 'stored-' || n, 'instant', 'instant', 'sync', '{"url": null, "native": {}, "webhookUrl": null}',
     case when failed then 'failed' else 'succeeded' end, case when failed then 'refunded' else 'succeeded' end, ${COST},
     case when failed then 0 else ${COST} end, 1, 1, true, at, at, at from stored`,
  `insert into ocr_page (request_id, number, engine, source, state, text, cost)
   select id, 1, 'instant', 'engine', case when failed then 'failed' else 'read' end, repeat(md5(id) || ' ', 6),
     case when failed then 0 else ${COST} end from stored`,
  `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, provider_latency_ms, pages, billing)
   select 'att_' || substr(id, 5), id, 1, 'instant', at, at, case when failed then 'failed' else 'ok' end, 20 + n % 400, 1, 'settled'
   from stored`,
  `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, created_at)
   select account, 'charge', 'wallet', 'revenue', ${COST}, id, at from stored where not failed`,
].map((statement) => `with ${STORED} ${statement}`);

const FILL_ACCOUNTS = `
  with made as (
    insert into account (id, email, signing_secret)
    select ${ACCOUNT}, 'stored-' || n || '@localhost', 'none' from generate_series(0, ${ACCOUNTS - 1}) n returning id
  )
  insert into ledger_transfer (account_id, kind, debit, credit, amount) select id, 'top_up', 'cash', 'wallet', ${TOP_UP} from made`;

const FILL_WALLETS = `
  with used as (
    select account_id, sum(cost) as spent, count(*) as requests, sum(pages) as pages from ocr_request group by 1
  ),
  others as (
    insert into wallet (account_id, posted, spent, requests, pages)
    select a.id, ${TOP_UP} - coalesce(spent, 0), coalesce(spent, 0), coalesce(requests, 0), coalesce(pages, 0)
    from account a left join used on used.account_id = a.id where a.id <> $1::uuid
  )
  update wallet w set posted = w.posted - u.spent, spent = w.spent + u.spent, requests = w.requests + u.requests, pages = w.pages + u.pages
  from used u where u.account_id = $1::uuid and w.account_id = $1::uuid`;

/** Ended requests of a year with their pages, attempts, keys and money, in a new database that has one account. */
export async function fillStored(databaseUrl: string, requests: number): Promise<void> {
  await divideFrom(databaseUrl, -MONTHS);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select id from account');
    const [owner] = rows;
    if (rows.length !== 1 || !owner) throw new Error('the database is to have one account');
    await client.query(FILL_ACCOUNTS);
    const now = new Date();
    for (let from = 1; from <= requests; from += AT_ONCE) {
      const to = Math.min(requests, from + AT_ONCE - 1);
      for (const statement of FILL) {
        await client.query(statement, [from, to, requests, monthAhead(-MONTHS), owner.id, now]);
      }
    }
    await client.query(FILL_WALLETS, [owner.id]);
  } finally {
    await client.end();
  }
}
