import DataLoader from 'dataloader';
import type { Context } from '../../accounts/callers/context.ts';
import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import { type NanoUsd, toUsd } from '../../platform/money.ts';
import { type BudgetPeriod, KeyBudget } from './key-budget.type.ts';
import { BUDGETS_OF_KEYS, REMOVE_BUDGET, SET_BUDGET } from './key-budget-sql.ts';

/** What is left of a key's spending limit. */
export type BudgetLeft = Pick<KeyBudget, 'amount' | 'period' | 'remaining' | 'endsAt'>;

/** The spending limits of keys. */
export class KeyBudgets {
  readonly #pool: Pool;
  readonly #loaders = new WeakMap<Context, DataLoader<string, KeyBudget | null>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The limit of a key; null where it has none. */
  async of(keyId: string): Promise<KeyBudget | null> {
    return (await this.#find([keyId]))[0] ?? null;
  }

  /** One statement for all keys of an answer. */
  load(keyId: string, context: Context): Promise<KeyBudget | null> {
    const loader = this.#loaders.get(context) ?? new DataLoader((ids: readonly string[]) => this.#find(ids));
    this.#loaders.set(context, loader);
    return loader.load(keyId);
  }

  /** Sets or (null) removes the limit of a key. It applies to requests that are accepted from now on. */
  async set(keyId: string, amount: NanoUsd | null, period: BudgetPeriod): Promise<void> {
    if (amount === null) return void (await query(this.#pool, REMOVE_BUDGET, [keyId]));
    if (amount <= 0n) throw new AppError('invalid_request', 'usd: a limit must be more than 0 USD.');
    await query(this.#pool, SET_BUDGET, [keyId, amount, period]);
  }

  async #find(keyIds: readonly string[]): Promise<(KeyBudget | null)[]> {
    type Row = Omit<KeyBudget, 'remaining'>;
    const rows = await query<Row>(this.#pool, BUDGETS_OF_KEYS, [[...keyIds]]);
    const found = new Map(
      rows.map((row) => [row.keyId, Object.assign(new KeyBudget(), row, { remaining: left(row) })]),
    );
    return keyIds.map((id) => found.get(id) ?? null);
  }
}

/** Below 0 where requests have cost more than was reserved for them. */
function left({ amount, spent, held }: Pick<KeyBudget, 'amount' | 'spent' | 'held'>): NanoUsd {
  return amount - spent - held;
}

/** `FundsNeeded`, which this folder may not import. */
interface Needed {
  readonly hold: NanoUsd;
  readonly tokenPriced: boolean;
}

/** Whether a request fits into the limit. A token-priced one may cost more than its hold: it needs something that is left. */
export function fitsBudget({ remaining }: BudgetLeft, { hold, tokenPriced }: Needed): boolean {
  return hold <= remaining && !(tokenPriced && remaining <= 0n);
}

const EVERY = { day: ' a day', week: ' a week', month: ' a month', total: '' } as const;

/** What a caller is told whose key has spent too much. */
export function beyondBudget({ amount, period, remaining, endsAt }: BudgetLeft, hold: NanoUsd): AppError {
  const rest = toUsd(remaining > 0n ? remaining : 0n);
  const until = endsAt ? ` It begins anew at ${endsAt.toISOString()}.` : '';
  return new AppError(
    'budget_exceeded',
    `This key may spend ${toUsd(amount)} USD${EVERY[period]}, of which ${rest} USD are left; the request needs ` +
      `${toUsd(hold)} USD. Nothing ran.${until}`,
  );
}
