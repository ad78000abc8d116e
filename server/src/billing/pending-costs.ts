import type { NanoUsd } from '../database/money.ts';
import { type Pool, query, transaction } from '../database/pool.ts';
import { AppError } from '../errors.ts';

/** An attempt whose provider has not said what it cost. */
export interface PendingCost {
  readonly attemptId: string;
  readonly requestId: string;
  readonly engine: string;
  readonly createdAt: Date;
}

/** What a verified cost took from the wallet, and what of it is owed. */
export interface Verified {
  readonly debited: NanoUsd;
  readonly owed: NanoUsd;
}

const PENDING = {
  name: 'pending-costs',
  text: `select id as "attemptId", request_id as "requestId", engine, started_at as "createdAt"
         from attempt where billing = 'pending' order by started_at, id`,
};

/** Whoever comes second waits here, and finds the attempt verified. `room`: how far a retried request is from its limit. */
const LOCK_ATTEMPT = {
  name: 'pending-cost-lock',
  text: `select a.billing, r.id as "requestId", r.account_id as "accountId",
           case when r.effective->>'fallback' = 'similar' and exists (
             select from attempt o where o.request_id = r.id and o.number > 1 and o.outcome <> 'lost')
           then greatest(0, r.hold - r.cost) end as room
         from attempt a join ocr_request r on r.id = a.request_id where a.id = $1 for update of r, a`,
};

const LOCK_WALLET = {
  name: 'pending-cost-wallet',
  text: 'select posted - held as free from wallet where account_id = $1 for update',
};

/** The attempt, the request, the wallet and the ledger together. */
const VERIFY = {
  name: 'pending-cost-verify',
  text: `with verified as (update attempt set billing = 'verified', cost = cost + $4 where id = $1),
         charged as (update ocr_request set cost = cost + $5 + $6 where id = $2),
         moved as (
           update wallet set posted = posted - $5, owed = owed + $6, spent = spent + $5 + $6 where account_id = $3
         )
         insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, attempt_id)
         select $3, 'provider_cost', t.debit, 'provider_cost', t.amount, $2, $1
         from (values ('wallet', $5::bigint), ('receivable', $6::bigint)) t(debit, amount) where t.amount > 0`,
};

/** Costs that providers report late: each is debited once, from the balance first, and the rest is owed. */
export class PendingCosts {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Oldest first. */
  list(): Promise<PendingCost[]> {
    return query<PendingCost & Record<string, unknown>>(this.#pool, PENDING, []);
  }

  /** Debits what a pending attempt cost. Throws `invalid_request` for one that is not (or no longer) pending. */
  verify(attemptId: string, cost: NanoUsd): Promise<Verified> {
    return transaction(this.#pool, async (client) => {
      const [attempt] = await query<{ billing: string; requestId: string; accountId: string; room: NanoUsd | null }>(
        client,
        LOCK_ATTEMPT,
        [attemptId],
      );
      if (!attempt) throw new AppError('not_found', 'There is no such attempt.');
      if (attempt.billing !== 'pending') {
        const why = attempt.billing === 'verified' ? 'was verified already' : `is not pending (${attempt.billing})`;
        throw new AppError('invalid_request', `attempt: its billing ${why}; a cost is debited once.`);
      }
      const { requestId, accountId, room } = attempt;
      const [wallet] = await query<{ free: NanoUsd }>(client, LOCK_WALLET, [accountId]);
      const due = room !== null && room < cost ? room : cost; // a retried request never costs more than its engine
      const debited = wallet && wallet.free < due ? wallet.free : due;
      const owed = due - debited;
      await query(client, VERIFY, [attemptId, requestId, accountId, cost, debited, owed]);
      return { debited, owed };
    });
  }
}
