/** When the period ends in which it is now; null for the one that never does. By UTC; weeks begin on Monday. */
function endOfPeriod(period: string): string {
  const of = (unit: string) =>
    `when '${unit}' then date_trunc('${unit}', now() at time zone 'UTC') + interval '1 ${unit}'`;
  return `case ${period} ${of('day')} ${of('week')} ${of('month')} end at time zone 'UTC'`;
}

const IS_OVER = '(ends_at <= now()) is true';

/**
 * A limit as it counts now: a period that is over is followed by the next one, in which nothing was spent yet. `row` is
 * what gives rows of `key_budget`.
 */
function asOfNow(row: string): string {
  return `
    select key_id, amount, period, case when ${IS_OVER} then term + 1 else term end as term,
      case when ${IS_OVER} then ${endOfPeriod('period')} else ends_at end as ends_at,
      case when ${IS_OVER} then 0 else spent end as spent, case when ${IS_OVER} then 0 else held end as held
    from ${row}`;
}

/** The limits of keys, whoever holds them; $1 are the keys. */
export const BUDGETS_OF_KEYS = {
  name: 'budgets-of-keys',
  repeatable: true,
  text: `with budget as (${asOfNow('key_budget where key_id = any($1::text[]) and amount is not null')})
         select key_id as "keyId", amount, period, ends_at as "endsAt", spent, held from budget`,
};

/**
 * Parts of acceptance, beside those of `money-sql`. The limits of a statement's keys, taken after their wallets: it is the
 * wallet that makes statements of an account take turns, and the lock here makes the newest row seen. Needs
 * `item(key_id, account_id)` and `locked`; gives `budget`, without a row for a key that has no limit.
 */
export const LOCK_BUDGETS = `
  budget_row as materialized (
    select k.* from key_budget k
    where k.key_id = any(array(select i.key_id from item i join locked l on l.account_id = i.account_id)) and k.amount is not null
    for update
  ),
  budget as materialized (${asOfNow('budget_row')})`;

/** What is left of limit `b`: what is held is spent until it is given back. */
export const BUDGET_LEFT = '(b.amount - b.spent - b.held)';

/**
 * Whether candidate `f` fits, of limit `b`, which may be none. What is priced by tokens may cost more than it holds: it
 * needs something that is left.
 */
export const FITS_BUDGET = `
  (b.key_id is null or (f.key_upto <= ${BUDGET_LEFT} and not (f.token_priced and ${BUDGET_LEFT} <= 0)))`;

/** Holds. Needs `budget` and `taken(key_id, hold)`; what ends the request gives them back (see the table's trigger). */
export const TAKE_BUDGETS = `
  budgeted as (
    update key_budget k set term = b.term, ends_at = b.ends_at, spent = b.spent, held = b.held + s.amount
    from budget b join (select key_id, sum(hold)::bigint as amount from taken group by key_id) s on s.key_id = b.key_id
    where k.key_id = any(array(select key_id from taken)) and k.key_id = b.key_id
  )`;

/**
 * $1 key, $2 amount, $3 period. Another amount goes on counting; another period begins to count anew. The wallet comes
 * first, as everywhere.
 */
export const SET_BUDGET = {
  name: 'key-budget-set',
  text: `with locked_wallet as materialized (
           select account_id from wallet where account_id = (select account_id from api_key where id = $1) for update
         )
         insert into key_budget as k (key_id, amount, period, ends_at)
         select $1, $2::bigint, $3::text, ${endOfPeriod('$3::text')} from locked_wallet
         on conflict (key_id) do update set amount = excluded.amount, period = excluded.period,
           term = case when ${goesOn()} then k.term else k.term + 1 end,
           ends_at = case when ${goesOn()} then k.ends_at else excluded.ends_at end,
           spent = case when ${goesOn()} then k.spent else 0 end, held = case when ${goesOn()} then k.held else 0 end`,
};

function goesOn(): string {
  return '(k.period = excluded.period and (k.ends_at <= now()) is not true)';
}

/** $1 key. Its row stays: requests that are open count in it. */
export const REMOVE_BUDGET = {
  name: 'key-budget-remove',
  text: `with locked_wallet as materialized (
           select account_id from wallet where account_id = (select account_id from api_key where id = $1) for update
         )
         update key_budget set amount = null where key_id = $1 and exists (select from locked_wallet)`,
};
