import { type Pool, queryOne } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import type { MoneyFlowType } from './money-flow.type.ts';
import { UNROLLED_TRANSFERS } from './money-roll-up.ts';

const SUMS = `
    coalesce(sum(amount) filter (where kind in ('charge', 'provider_cost')), 0)::bigint as spent,
    coalesce(sum(amount) filter (where kind = 'provider_cost'), 0)::bigint as "chargedOnFailures",
    coalesce(sum(amount) filter (where kind = 'top_up'), 0)::bigint as "toppedUp",
    coalesce(sum(amount) filter (where kind = 'collected'), 0)::bigint as collected`;

/** The hours that are counted, and the transfers that were written since. */
const MOVED = {
  name: 'money-flow-moved',
  text: `
  select ${SUMS} from (
    select kind, amount from money_hour where hour >= $1 and hour < $2
    union all
    select kind, amount from ledger_transfer where ${UNROLLED_TRANSFERS} and created_at >= $1 and created_at < $2
  ) moved`,
};

/** The same from the transfers alone, as long as they are not all counted. */
const MOVED_BY_ROWS = {
  name: 'money-flow-moved-by-rows',
  text: `select ${SUMS} from ledger_transfer where created_at >= $1 and created_at < $2`,
};

const NOW = {
  name: 'money-flow-now',
  text: `select coalesce(sum(owed), 0)::bigint as owed, coalesce(sum(held), 0)::bigint as held,
           coalesce(sum(posted - held), 0)::bigint as available from wallet`,
};

/** What moved in some time. */
export type Moved = Pick<MoneyFlowType, 'spent' | 'chargedOnFailures' | 'toppedUp' | 'collected'>;

type Open = Pick<MoneyFlowType, 'owed' | 'held' | 'available'>;

/** The money of all accounts together. */
export class MoneyFlow {
  readonly #pool: Pool;
  readonly #ready: ReportsReady;

  constructor(pool: Pool, ready: ReportsReady) {
    this.#pool = pool;
    this.#ready = ready;
  }

  /** What moved since then, the start of an hour, and what stands open now. */
  async since(since: Date): Promise<MoneyFlowType> {
    const [moved, open] = await Promise.all([this.moved({ since, until: null }), this.open()]);
    return { since, ...moved, ...open };
  }

  /** Both are starts of hours; without an end, up to now. */
  async moved({ since, until }: { since: Date; until: Date | null }): Promise<Moved> {
    const statement = (await this.#ready.look()) ? MOVED : MOVED_BY_ROWS;
    return queryOne<Moved>(this.#pool, statement, [since, until ?? 'infinity']);
  }

  /** What stands open now. */
  open(): Promise<Open> {
    return queryOne<Open>(this.#pool, NOW, []);
  }
}
