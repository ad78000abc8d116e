/**
 * The statements of a proof. Each groups its rows once and joins the groups; none looks at an account by itself. Sums
 * go by the sides of a transfer, so a new kind of transfer needs nothing here, unless it takes from what requests earned and
 * leaves them as they were charged.
 */

/** The setting that says how many seconds a rest takes. */
export const REST_SETTING = 'ocr_router.rest_seconds';

/** True of every row; at one of a thousand the statement rests, so that requests find a core between. */
const RESTING = `(random() >= 0.001 or pg_sleep(current_setting('${REST_SETTING}')::float8) is not null)`;

const side = (name: string, plus: string, minus: string) =>
  `sum(case when ${plus} then amount when ${minus} then -amount else 0 end)::bigint as ${name}`;
const among = (column: string) => `${column} in ('revenue', 'provider_cost')`;
/** What was written off is revenue that never came; its requests cost what they did. */
const GIVEN_BACK = `${among('debit')} and kind <> 'written_off'`;

/** What an account has, what it owes, and what its requests were charged. */
const SUMS = `
  ${side('posted', `credit = 'wallet'`, `debit = 'wallet'`)},
  ${side('owed', `debit = 'receivable'`, `credit = 'receivable'`)},
  ${side('charged', among('credit'), GIVEN_BACK)}`;

/** Where to go on: $1 is the transaction and $2 the transfer up to which the ledger is proven. */
const INCREMENT = `t.recorded_xid > '0' and t.recorded_xid >= $1::xid8 and t.id > $2::bigint`;

/** The accounts' sums: those that were proven, and the transfers since; or all transfers. */
function sums(full: boolean): string {
  return `
  since as materialized (
    select account_id, ${SUMS} from ledger_transfer t
    where ${full ? '' : `${INCREMENT} and `}${RESTING} group by account_id
  ),
  booked as (
    select account_id, sum(posted)::bigint as posted, sum(owed)::bigint as owed, sum(charged)::bigint as charged from (
      select * from since ${full ? '' : 'union all select account_id, posted, owed, charged from account_proof'}
    ) parts group by account_id
  )`;
}

/** Wallets against the ledger. An account without a wallet has nothing. */
const wallets = (full: boolean) => `
  with ${sums(full)}
  select count(*) filter (where coalesce(w.posted, 0) <> coalesce(b.posted, 0)) as posted,
    count(*) filter (where coalesce(w.owed, 0) <> coalesce(b.owed, 0)) as owed,
    count(*) filter (where coalesce(w.spent, 0) <> coalesce(b.charged, 0)) as spent
  from wallet w full join booked b on b.account_id = w.account_id
  where ${RESTING}`;

const OPEN = `
  select account_id, hold, cost, pages from ocr_request where status = 'queued'
  union all select account_id, hold, cost, pages from ocr_request where status = 'processing'`;

/** What was counted of ended requests, what was recorded since, and the open ones, which are few. */
const COUNTED = `
  select account_id, 0::bigint as hold, requests, pages, cost from usage_total
  union all
  select account_id, 0, requests, pages, cost from usage_event
  where recorded_xid >= (select recorded_before from usage_mark)
  union all
  select account_id, hold, 1, coalesce(pages, 0), cost from (${OPEN}) waiting`;

/** Every request, once. */
const ROWS = `
  select account_id, coalesce(sum(hold) filter (where finished_at is null), 0)::bigint as hold, count(*) as requests,
    coalesce(sum(pages), 0)::bigint as pages, sum(cost)::bigint as cost
  from ocr_request where ${RESTING} group by account_id`;

/** Wallets against the requests. */
const requests = (source: string) => `
  with mine as (
    select account_id, sum(hold) as hold, sum(requests) as requests, sum(pages) as pages, sum(cost) as cost
    from (${source}) parts group by account_id
  )
  select count(*) filter (where coalesce(w.held, 0) <> coalesce(m.hold, 0)) as held,
    count(*) filter (where coalesce(w.requests, 0) <> coalesce(m.requests, 0) or coalesce(w.pages, 0) <> coalesce(m.pages, 0)
      or coalesce(w.spent, 0) <> coalesce(m.cost, 0)) as totals
  from wallet w full join mine m on m.account_id = w.account_id
  where ${RESTING}`;

/** What refunds gave back for a request. */
const REFUNDED = side('refunded', `debit = 'refund'`, `credit = 'refund'`);

/** Each request against its transfers, of the requests that money moved for since the proof. */
const TOUCHED = `
  with touched as materialized (
    select distinct request_id from ledger_transfer t where ${INCREMENT} and request_id is not null and ${RESTING}
  ),
  booked as (
    select o.request_id, ${side('charged', among('o.credit'), among('o.debit'))}, ${REFUNDED}
    from touched join ledger_transfer o on o.request_id = touched.request_id group by o.request_id
  )
  select count(*) as violations from booked b left join ocr_request r on r.id = b.request_id
  where r.cost is distinct from b.charged or r.refunded is distinct from b.refunded or r.refunded > r.cost`;

const EVERY_REQUEST = `
  with booked as (
    select request_id, ${side('charged', among('credit'), among('debit'))}, ${REFUNDED}
    from ledger_transfer where request_id is not null and ${RESTING} group by request_id
  )
  select count(*) as violations
  from booked b full join (select id, cost, refunded from ocr_request where ${RESTING}) r on r.id = b.request_id
  where coalesce(r.cost, 0) <> coalesce(b.charged, 0) or coalesce(r.refunded, 0) <> coalesce(b.refunded, 0)
    or r.refunded > r.cost`;

/** What reports count by, against the requests; only a full proof reads these all. */
const ROLL_UPS = `
  with counted as (
    select account_id, sum(requests) as requests, sum(pages) as pages, sum(cost) as cost from (
      select account_id, requests, pages, cost from usage_day
      union all
      select account_id, requests, pages, cost from usage_event
      where recorded_xid >= (select recorded_before from usage_mark)
    ) parts group by account_id
  ),
  ended as (
    select account_id, count(*) as requests, coalesce(sum(pages), 0) as pages, sum(cost) as cost
    from ocr_request where finished_at is not null and ${RESTING} group by account_id
  )
  select count(*) as violations from counted c full join ended e on e.account_id = c.account_id
  where coalesce(c.requests, 0) <> coalesce(e.requests, 0) or coalesce(c.pages, 0) <> coalesce(e.pages, 0)
    or coalesce(c.cost, 0) <> coalesce(e.cost, 0)`;

/** What counts in the present period of each limit: what open requests hold, and of a full proof what ended ones cost. */
const limits = (full: boolean) => `
  with counted as (
    select key_id, budget_term, sum(hold) as held, sum(spent) as spent from (
      select key_id, budget_term, hold, 0::bigint as spent from ocr_request where status = 'queued' and budget_term is not null
      union all
      select key_id, budget_term, hold, 0 from ocr_request where status = 'processing' and budget_term is not null
      ${full ? `union all select key_id, budget_term, 0, cost - refunded from ocr_request where finished_at is not null and budget_term is not null and ${RESTING}` : ''}
    ) parts group by key_id, budget_term
  )
  select count(*) filter (where b.held <> coalesce(c.held, 0)) as held,
    count(*) filter (where ${full} and b.spent <> coalesce(c.spent, 0)) as spent
  from key_budget b left join counted c on c.key_id = b.key_id and c.budget_term = b.term`;

export const STATEMENTS = {
  increment: { wallets: wallets(false), requests: requests(COUNTED), costs: TOUCHED, limits: limits(false) },
  full: { wallets: wallets(true), requests: requests(ROWS), costs: EVERY_REQUEST, limits: limits(true) },
  rollUps: ROLL_UPS,
};

/** `newest`: numbers from there on are still to come; a row with one was brought by a dump of another cluster. */
export const HORIZON = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as until, p.verified_before::text as since, p.above_id as above,
    (select complete and recorded_before <= pg_snapshot_xmax(pg_current_snapshot()) from usage_mark) as counted
  from (select) one left join ledger_proof p on p.verified_before <= pg_snapshot_xmax(pg_current_snapshot())`;

const settled = `(t.recorded_xid < $1::xid8 or t.id <= $2::bigint)`;

/** The transfers from another cluster, whose numbers say nothing here, end at this id. */
export const FOREIGN_UP_TO = `
  select coalesce(max(id), 0) as above from ledger_transfer where recorded_xid > pg_snapshot_xmax(pg_current_snapshot())`;

/** What is proven from now on: $1 and $2 as above, of this proof; of all transfers, or those since $3 and $4. */
export const STORE = {
  full: [
    { text: 'delete from account_proof', takes: 0 },
    {
      text: `insert into account_proof (account_id, posted, owed, charged)
             select account_id, ${SUMS} from ledger_transfer t where ${settled} and ${RESTING} group by account_id`,
      takes: 2,
    },
  ],
  increment: [
    {
      text: `insert into account_proof as p (account_id, posted, owed, charged)
             select account_id, ${SUMS} from ledger_transfer t
             where ${settled} and t.recorded_xid > '0' and t.recorded_xid >= $3::xid8 and t.id > $4::bigint group by account_id
             on conflict (account_id) do update set posted = p.posted + excluded.posted, owed = p.owed + excluded.owed,
               charged = p.charged + excluded.charged`,
      takes: 4,
    },
  ],
};

export const MARK = `
  insert into ledger_proof as p (verified_before, above_id, full_at) values ($1::xid8, $2, now())
  on conflict (only_one) do update set verified_before = excluded.verified_before, above_id = excluded.above_id,
    verified_at = now(), full_at = case when $3 then now() else p.full_at end`;
