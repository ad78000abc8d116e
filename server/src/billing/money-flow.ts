import { type Pool, query } from '../database/pool.ts';
import type { MoneyFlowType } from './money-flow.type.ts';

const SINCE = {
  name: 'money-flow-since',
  text: `
  select
    coalesce(sum(amount) filter (where kind in ('charge', 'provider_cost')), 0)::bigint as spent,
    coalesce(sum(amount) filter (where kind = 'provider_cost'), 0)::bigint as "chargedOnFailures",
    coalesce(sum(amount) filter (where kind = 'top_up'), 0)::bigint as "toppedUp",
    coalesce(sum(amount) filter (where kind = 'collected'), 0)::bigint as collected
  from ledger_transfer where created_at >= $1`,
};

const NOW = {
  name: 'money-flow-now',
  text: `select coalesce(sum(owed), 0)::bigint as owed, coalesce(sum(held), 0)::bigint as held,
           coalesce(sum(posted - held), 0)::bigint as available from wallet`,
};

/** The money of all accounts together. */
export class MoneyFlow {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** What moved since then, and what stands open now. */
  async since(since: Date): Promise<MoneyFlowType> {
    type Moved = Pick<MoneyFlowType, 'spent' | 'chargedOnFailures' | 'toppedUp' | 'collected'>;
    type Open = Pick<MoneyFlowType, 'owed' | 'held' | 'available'>;
    const [[moved], [open]] = await Promise.all([
      query<Moved & Record<string, unknown>>(this.#pool, SINCE, [since]),
      query<Open & Record<string, unknown>>(this.#pool, NOW, []),
    ]);
    if (!moved || !open) throw new Error('an aggregate answers one row');
    return { since, ...moved, ...open };
  }
}

/** Midnight, UTC. */
export function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
