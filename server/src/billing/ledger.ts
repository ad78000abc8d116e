import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import type { NanoUsd } from '../platform/money.ts';

/** What an account has: `posted` in the ledger, `held` of it, and `owed` beside it. */
export interface Balance {
  readonly posted: NanoUsd;
  readonly held: NanoUsd;
  readonly owed: NanoUsd;
}

export interface UsageTotals {
  readonly balance: NanoUsd;
  readonly spent: NanoUsd;
  readonly requests: bigint;
  readonly pages: bigint;
}

const BALANCE = {
  name: 'wallet-balance',
  text: 'select posted, held, owed from wallet where account_id = $1',
};

const TOTALS = {
  name: 'wallet-totals',
  text: 'select posted - held as balance, spent, requests, pages from wallet where account_id = $1',
};

/** What accounts have. */
export class Ledger {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async balance(accountId: string): Promise<Balance> {
    const [row] = await query<{ posted: bigint; held: bigint; owed: bigint }>(this.#pool, BALANCE, [accountId]);
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }

  async totals(accountId: string): Promise<UsageTotals> {
    const [row] = await query<{ balance: bigint; spent: bigint; requests: bigint; pages: bigint }>(this.#pool, TOTALS, [
      accountId,
    ]);
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }
}
