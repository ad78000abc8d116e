/**
 * The money of a request's life, as parts of larger statements: a state change and what it costs are one statement, so
 * neither can happen without the other. The parts know only each other's column names.
 *
 * Rows are found by `= any(array(…))`: whatever the planner believes about the tables' sizes when a connection first
 * meets the statement, that is a look-up by key and never a walk through a whole table.
 */

/**
 * The wallets of a statement, taken before anything else of it. Needs `item(account_id)` and gives
 * `locked(account_id, available, owed, closed)`. The row lock makes the statements of an account take turns; `available` is what
 * the lock found, never an older value. A wallet that another transaction holds is left out: the items of its account
 * are tried again (`IS_LOCKED` tells them), and those of other accounts do not wait for it.
 */
export const LOCK_WALLETS = `
  locked as materialized (
    select w.account_id, w.posted - w.held as available, w.owed, w.closed_at is not null as closed
    from wallet w where w.account_id = any(array(select account_id from item))
    order by w.account_id for update skip locked
  )`;

/** Whether the wallet of item `i`, which is not among `locked l`, is there at all. */
export const IS_LOCKED = `
  case when l.account_id is null then exists (select from wallet w where w.account_id = i.account_id) else false end`;

/** Holds. Needs `taken(id, account_id, hold)`: the requests that were inserted, each with its hold. */
export const TAKE_HOLDS = `
  reserved as (
    update wallet w set held = w.held + s.amount, requests = w.requests + s.count
    from (select account_id, sum(hold)::bigint as amount, count(*) as count from taken group by account_id) s
    where w.account_id = any(array(select account_id from taken)) and w.account_id = s.account_id
  )`;

/**
 * Settlement. Needs `locked` and `done(n, id, account_id, hold, charge, kind, pages)`: the requests that just ended. A
 * hold is open as long as its request is, so the statement that ends a request resolves it, once. What it does not use
 * is free again; what a charge needs beyond its hold comes from the free balance, and the rest is owed. What is free after all charges
 * pays what was owed before them: nobody owes while there is credit. Several requests of one account take turns in the
 * order of `n`.
 */
export const SETTLE_HOLDS = `
  due as (
    select d.n, d.id, d.account_id, d.charge, d.kind, d.pages, d.hold, l.available as free, l.owed,
      sum(d.charge) over (partition by d.account_id order by d.n) - d.charge as before,
      sum(d.hold) over (partition by d.account_id) as holds
    from done d join locked l on l.account_id = d.account_id
  ),
  paid as (
    select due.*, greatest(0, least(charge, free + holds - before))::bigint as from_wallet from due
  ),
  settled as (
    select account_id, sum(hold)::bigint as hold, sum(from_wallet)::bigint as paid, sum(charge)::bigint as charge,
      sum(pages)::bigint as pages,
      greatest(0, least(max(owed) + sum(charge) - sum(from_wallet), max(free) + sum(hold) - sum(from_wallet)))::bigint
        as collected
    from paid group by account_id
  ),
  moved as (
    update wallet w set
      posted = w.posted - s.paid - s.collected, held = w.held - s.hold,
      owed = w.owed + s.charge - s.paid - s.collected, spent = w.spent + s.charge, pages = w.pages + s.pages
    from settled s where w.account_id = any(array(select account_id from paid)) and w.account_id = s.account_id
  ),
  transfers as (
    insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id)
    select account_id, kind, 'wallet', case kind when 'charge' then 'revenue' else 'provider_cost' end, from_wallet, id
    from paid where from_wallet > 0
    union all
    select account_id, kind, 'receivable', case kind when 'charge' then 'revenue' else 'provider_cost' end,
      charge - from_wallet, id
    from paid where charge > from_wallet
    union all
    select account_id, 'collected', 'wallet', 'receivable', collected, null
    from settled where collected > 0
  )`;
