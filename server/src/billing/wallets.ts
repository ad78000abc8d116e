import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import type { NanoUsd } from '../platform/money.ts';

/** What an account has: `posted` in the ledger, of which `held` is reserved; and what it owes. */
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

const BALANCES = {
  name: 'wallet-balances',
  text: 'select account_id as "accountId", posted, held, owed from wallet where account_id = any($1::uuid[])',
};

const TOTALS = {
  name: 'wallet-totals',
  text: 'select posted - held as balance, spent, requests, pages from wallet where account_id = $1',
};

/** Reads the wallets of accounts. */
export class Wallets {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async balance(accountId: string): Promise<Balance> {
    const [row] = await query<{ posted: bigint; held: bigint; owed: bigint }>(this.#pool, BALANCE, [accountId]);
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }

  /** Balances of several accounts, by their ids. */
  async balances(accountIds: readonly string[]): Promise<ReadonlyMap<string, Balance>> {
    type Row = Balance & { accountId: string };
    const rows = await query<Row>(this.#pool, BALANCES, [[...accountIds]]);
    return new Map(rows.map(({ accountId, ...balance }) => [accountId, balance]));
  }

  async totals(accountId: string): Promise<UsageTotals> {
    const [row] = await query<{ balance: bigint; spent: bigint; requests: bigint; pages: bigint }>(this.#pool, TOTALS, [
      accountId,
    ]);
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }
}
