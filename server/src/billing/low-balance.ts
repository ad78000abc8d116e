import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import type { NanoUsd } from '../platform/money.ts';
import type { BalanceType } from './money.type.ts';

/** What an account has, of a row of `wallet`: whether it is low is decided here alone. */
export const BALANCE_COLUMNS = `posted - held as available, held, owed, spent, low_threshold as "lowThreshold",
  coalesce(posted - held < low_threshold, false) as "isLow"`;

const SET = {
  name: 'wallet-low-threshold',
  text: `update wallet set low_threshold = $2 where account_id = $1 returning ${BALANCE_COLUMNS}`,
};

/** The balance below which owners want to be told. */
export class LowBalance {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Null: never. Answers what the account has. */
  async set(accountId: string, threshold: NanoUsd | null): Promise<BalanceType> {
    const [balance] = await query<BalanceType>(this.#pool, SET, [accountId, threshold]);
    if (!balance) throw new AppError('not_found', 'There is no such account.');
    return balance;
  }
}
