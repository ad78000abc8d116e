import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import type { NanoUsd } from '../platform/money.ts';
import { lateCostDueSql, ODD_USAGE } from './charge.ts';
import { UNREPORTED_FAILURE, UNREPORTED_READING, verifiedWordsSql } from './pending-words.ts';

/** An attempt whose provider has not said what it cost, or not credibly. */
export interface PendingCost {
  readonly attemptId: string;
  readonly requestId: string;
  readonly engine: string;
  readonly createdAt: Date;
  readonly usageDoubted: boolean;
}

/** What a verified cost took from the wallet, and what of it is owed. */
export interface Verified {
  readonly debited: NanoUsd;
  readonly owed: NanoUsd;
}

const PENDING = {
  name: 'pending-costs',
  text: `select id as "attemptId", request_id as "requestId", engine, started_at as "createdAt",
           coalesce(usage_doubted, message like '%${ODD_USAGE}%', false) as "usageDoubted"
         from attempt where billing = 'pending'
           and ($1::text is null or (started_at, id) > (select started_at, id from attempt where id = $1))
         order by started_at, id limit $2`,
};

const DUE = lateCostDueSql({
  cost: '$2::bigint',
  charged: 'request.cost',
  hold: 'request.hold',
  retried: 'request.retried',
  cap: 'request.cap',
});

/** Whether no other attempt of the request `r` waits for its cost. */
const IS_LAST = `not exists (select 1 from attempt o where o.request_id = r.id and o.billing = 'pending' and o.id <> $1)`;

const STATE = { name: 'pending-cost-state', text: 'select billing from attempt where id = $1' };

/**
 * The wallet, the attempt, the request and the ledger in one statement: no lock outlives a round trip. The wallet is
 * locked first, as settlement does; a second call waits for it, and finds the attempt verified.
 */
const VERIFY = {
  name: 'pending-cost-verify',
  text: `with found as materialized (
           select r.id, r.account_id, r.effective->>'fallback' = 'similar' and (
             select count(*) from attempt o where o.request_id = r.id and o.outcome <> 'lost') > 1 as retried,
             (r.effective->>'maxCost')::bigint as cap
           from ocr_request r where r.id = (select request_id from attempt where id = $1)
         ),
         locked_wallet as materialized (
           select w.account_id, w.posted - w.held as free
           from wallet w where w.account_id = (select account_id from found) for update
         ),
         request as materialized (
           select r.id, r.account_id, p.free, r.hold, r.cost, f.retried, f.cap
           from locked_wallet p join found f on f.account_id = p.account_id join ocr_request r on r.id = f.id
           for update of r
         ),
         verified as (
           update attempt a set billing = 'verified', cost = a.cost + $2
           from request where a.id = $1 and a.billing = 'pending'
           returning request.id, request.account_id, request.free, ${DUE} as due
         ),
         due as materialized (select *, least(free, due) as debited, due - least(free, due) as owed from verified),
         charged as (
           update ocr_request r set cost = r.cost + due.due,
             provider_error = case when ${IS_LAST} then ${verifiedWordsSql('r.provider_error', UNREPORTED_FAILURE)} else r.provider_error end,
             warnings = case when ${IS_LAST} then ${verifiedWordsSql('r.warnings::text', UNREPORTED_READING)}::jsonb else r.warnings end
           from due where r.id = due.id
         ),
         moved as (
           update wallet w set posted = w.posted - due.debited, owed = w.owed + due.owed, spent = w.spent + due.due
           from due where w.account_id = due.account_id
         ),
         written as (
           insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, attempt_id)
           select due.account_id, 'provider_cost', t.debit, 'provider_cost', t.amount, due.id, $1
           from due cross join lateral (values ('wallet', due.debited), ('receivable', due.owed)) t(debit, amount)
           where t.amount > 0
         )
         select debited, owed from due`,
};

/** The most that one list holds. */
export const MOST_PENDING = 1000;

/** Costs that providers report late: each is debited once, from the balance first, and the rest is owed. */
export class PendingCosts {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Oldest first, at most `MOST_PENDING`; `after` is the attempt that the list before ended with. */
  async list({
    first = MOST_PENDING,
    after = null,
  }: {
    first?: number;
    after?: string | null;
  } = {}): Promise<PendingCost[]> {
    if (!Number.isInteger(first) || first < 1 || first > MOST_PENDING) {
      throw new AppError('invalid_request', `first: must be 1 to ${MOST_PENDING}.`);
    }
    if (after !== null) await this.#stateOf(after);
    return query<PendingCost>(this.#pool, PENDING, [after, first]);
  }

  /** Debits what a pending attempt cost. Throws `invalid_request` for one that is not (or no longer) pending. */
  async verify(attemptId: string, cost: NanoUsd): Promise<Verified> {
    const [verified] = await query<Verified>(this.#pool, VERIFY, [attemptId, cost]);
    if (verified) return verified;
    const billing = await this.#stateOf(attemptId);
    const why = billing === 'verified' ? 'was verified already' : `is not pending (${billing})`;
    throw new AppError('invalid_request', `attempt: its billing ${why}; a cost is debited once.`);
  }

  async #stateOf(attemptId: string): Promise<string> {
    const [attempt] = await query<{ billing: string }>(this.#pool, STATE, [attemptId]);
    if (!attempt) throw new AppError('not_found', 'There is no such attempt.');
    return attempt.billing;
  }
}
