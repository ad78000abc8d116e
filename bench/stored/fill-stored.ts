import { divideFrom, monthAhead } from '../../test/house/month-parts.ts';
import { withClient } from '../../test/house/with-client.ts';
import { makeIndex, takeIndexesAway } from './without-indexes.ts';

/** Accounts beside that of the bench, which has every tenth request. */
export const ACCOUNTS = 1000;
/** They came over so many months, and this one. */
const MONTHS = 11;
const AT_ONCE = 100_000;
const TOP_UP = 1_000_000_000_000;
const COST = 10;

const ACCOUNT = `('00000000-0000-4000-9000-' || lpad(to_hex(n % ${ACCOUNTS}), 12, '0'))::uuid`;

/** As `lowest_request_id`, for many: the ten digits of a moment. */
const DIGITS = Array.from(
  { length: 10 },
  (_, i) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((ms >> ${5 * (9 - i)}) & 31)::int + 1, 1)`,
).join(' || ');

/** $1 and $2: the first and the last of this batch; $3: how many in all; $4 and $6: since when and until; $5: the account of the bench. */
const STORED = `
  create temp table stored on commit drop as
  select n, at, 'ocr_' || ${DIGITS} || lpad(n::text, 16, '0') as id, n % 100 = 10 as failed,
    case when n % 10 = 0 then $5::uuid else ${ACCOUNT} end as account
  from (
    select n, at, floor(extract(epoch from at) * 1000)::bigint as ms from (
      select n, $4::timestamptz + ($6::timestamptz - $4::timestamptz) * (n::float8 / $3::int) as at
      from generate_series($1::int, $2::int) n) moments) one`;

/** Requests with their pages, attempts and money: the tables that there have been from the first schema on. */
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
];

/** What the triggers would write. */
const FILL_FOLLOWING = [
  `insert into idempotency_key (account_id, key, request_id) select account, 'stored-' || n, id from stored`,
  `insert into usage_event (request_id, account_id, hour, engine, key_id, requests, pages, failed, cost, failed_cost)
   select min(id), account, date_trunc('hour', at, 'UTC'), 'instant', '', count(*), count(*), count(*) filter (where failed),
     count(*) filter (where not failed) * ${COST}, 0 from stored group by account, date_trunc('hour', at, 'UTC')`,
];

const FILL_ACCOUNTS = `
  with made as (
    insert into account (id, email, signing_secret)
    select ${ACCOUNT}, 'stored-' || n || '@localhost', 'none' from generate_series(0, ${ACCOUNTS - 1}) n returning id
  )
  insert into ledger_transfer (account_id, kind, debit, credit, amount) select id, 'top_up', 'cash', 'wallet', ${TOP_UP} from made`;

/** What only follows from the rows is made once, after them. The months' own indexes grow at their end, and stay. */
const INDEXED = ['ocr_request', 'ledger_transfer', 'idempotency_key'];
const INDEXED_FIRST = ['ocr_request', 'ocr_page', 'attempt', 'ledger_transfer'];

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

/** Where a filling stands that was interrupted; a table of the bench, dropped at the end. */
const MARK = {
  make: 'create table if not exists stored_fill as select $1::timestamptz as until, 0 as filled',
  read: 'select until, filled from stored_fill',
  move: 'update stored_fill set filled = $1',
  drop: 'drop table stored_fill',
};

/** In the first schema figures of engines are counted by what came last: what is filled in is left out of them. */
const COUNTED_FIRST = 'update roll_up_mark set recorded_before = pg_current_xact_id()';

const IS_FILLED = `select to_regclass('stored_fill') is null and exists (select from ocr_request) as filled`;

export interface Filling {
  readonly requests: number;
  /** Today's, or that before keys, usage and months had tables of their own. */
  readonly schema: 'today' | 'first';
}

/** Ended requests of a year with their pages, attempts, keys and money, in a new database that has one account. */
export async function fillStored(databaseUrl: string, filling: Filling): Promise<void> {
  while (!(await fillSome(databaseUrl, filling))) {
    // The next index.
  }
}

/** Whether a database that stayed has all of them. */
export async function isFilled(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(IS_FILLED);
    return rows[0].filled;
  });
}

/** From where the last call ended: all requests, and then one index a call; answers whether all is there now. */
async function fillSome(databaseUrl: string, { requests, schema }: Filling): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(`select id from account where id::text not like '00000000-%'`);
    const [owner] = rows;
    if (rows.length !== 1 || !owner) throw new Error('the database is to have one account');
    const { rows: marks } = await client.query(`select to_regclass('stored_fill') is not null as begun`);
    if (!marks[0].begun) {
      if (schema === 'today') await divideFrom(databaseUrl, -MONTHS);
      await client.query(FILL_ACCOUNTS);
      await takeIndexesAway(client, schema === 'today' ? INDEXED : INDEXED_FIRST);
      await client.query(MARK.make, [new Date()]);
    }
    const [mark] = (await client.query<{ until: Date; filled: number }>(MARK.read)).rows;
    if (!mark) throw new Error('the filling has no mark');
    const statements = schema === 'today' ? [...FILL, ...FILL_FOLLOWING] : FILL;
    for (let from = mark.filled + 1; from <= requests; from += AT_ONCE) {
      const to = Math.min(requests, from + AT_ONCE - 1);
      await client.query('begin');
      await client.query('set local session_replication_role = replica'); // no triggers
      await client.query(STORED, [from, to, requests, monthAhead(-MONTHS), owner.id, mark.until]);
      for (const statement of statements) await client.query(statement);
      await client.query(MARK.move, [to]);
      await client.query('commit');
    }
    if (!(await makeIndex(client))) return false;
    await client.query(FILL_WALLETS, [owner.id]);
    if (schema === 'first') await client.query(COUNTED_FIRST);
    await client.query(MARK.drop);
    return true;
  });
}
