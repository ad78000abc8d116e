/**
 * Money that comes into a wallet pays what is owed first; the rest is credit. Needs the CTE `before(account_id, owed)`,
 * locked.
 */
const RECEIVE = (amount: string, debit: string) => `
  changed as (
    update wallet w set posted = w.posted + ${amount} - least(w.owed, ${amount}), owed = w.owed - least(w.owed, ${amount})
    from before where w.account_id = before.account_id
    returning w.account_id, w.posted, w.held, w.owed, least(before.owed, ${amount}) as collected
  ),
  credited as (
    insert into ledger_transfer (account_id, kind, debit, credit, amount, idempotency_key, reason, request_id, attempt_id)
    select account_id, ${debit} from changed
  ),
  collected as (
    insert into ledger_transfer (account_id, kind, debit, credit, amount)
    select account_id, 'collected', 'wallet', 'receivable', collected from changed where collected > 0
  )
  select posted, held, owed from changed`;

/** $1 account, $2 amount, $3 key, $4 reason or null. */
export const TOP_UP = {
  name: 'wallet-top-up',
  text: `with before as (select account_id, owed from wallet where account_id = $1 for update),
    ${RECEIVE('$2::bigint', `'top_up', 'cash', 'wallet', $2, $3, $4, null, null`)}`,
};

/** $1 account, $2 amount, $3 key, $4 reason. */
export const ADJUST_UP = {
  name: 'wallet-adjust-up',
  text: `with before as (select account_id, owed from wallet where account_id = $1 for update),
    ${RECEIVE('$2::bigint', `'adjustment', 'adjustment', 'wallet', $2, $3, $4, null, null`)}`,
};

/** As above; answers nothing, and changes nothing, where less is available. */
export const ADJUST_DOWN = {
  name: 'wallet-adjust-down',
  text: `with changed as (
           update wallet set posted = posted - $2::bigint where account_id = $1 and posted - held >= $2
           returning account_id, posted, held, owed
         ),
         debited as (
           insert into ledger_transfer (account_id, kind, debit, credit, amount, idempotency_key, reason)
           select account_id, 'adjustment', 'wallet', 'adjustment', $2, $3, $4 from changed
         )
         select posted, held, owed from changed`,
};

/** $1 account. Acceptance locks the wallet: what it took in before is there to be ended, and it takes in nothing after. */
export const CLOSE = {
  name: 'wallet-close',
  text: 'update wallet set closed_at = coalesce(closed_at, now()) where account_id = $1',
};

/** $1 account, $2 reason: what is owed is not asked for any more. */
export const WRITE_OFF = {
  name: 'wallet-write-off',
  text: `with before as materialized (select account_id, owed from wallet where account_id = $1 and owed > 0 for update),
         changed as (
           update wallet w set owed = 0 from before where w.account_id = before.account_id returning before.owed
         ),
         written as (
           insert into ledger_transfer (account_id, kind, debit, credit, amount, reason)
           select account_id, 'written_off', 'revenue', 'receivable', owed, $2 from before
         )
         select owed from changed`,
};

/**
 * $1 account, $2 amount, $3 key, $4 reason, $5 request, $6 the refund's own id. The wallet is locked first, as settlement
 * does. The request counts what it has given back, so that two refunds at once never exceed its cost; what does not fit
 * answers nothing, and changes nothing.
 */
export const REFUND = {
  name: 'wallet-refund',
  text: `with locked_wallet as materialized (select account_id, owed from wallet where account_id = $1 for update),
    given as (
      update ocr_request r set refunded = r.refunded + $2::bigint
      from locked_wallet where r.id = $5 and r.account_id = locked_wallet.account_id and r.finished_at is not null
        and r.refunded + $2 <= r.cost
      returning r.account_id
    ),
    before as materialized (select locked_wallet.* from locked_wallet join given on given.account_id = locked_wallet.account_id),
    ${RECEIVE('$2::bigint', `'refund', 'refund', 'wallet', $2, $3, $4, $5, $6`)}`,
};

/** The transfer of a key: `$1` are the forms that the key may stand under. */
export const BY_KEY = {
  name: 'transfer-by-key',
  text: `select account_id as "accountId", kind, debit, amount, request_id as "requestId" from ledger_transfer
         where idempotency_key = any($1::text[])`,
};

export const CHARGED = {
  name: 'request-charged',
  text: `select account_id as "accountId", cost, refunded, finished_at is not null as "isFinished"
         from ocr_request where id = $1`,
};
