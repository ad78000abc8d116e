import DataLoader from 'dataloader';
import type { Context } from '../accounts/callers/context.ts';
import { cutPage } from '../database/paging/page-info.type.ts';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import { LedgerTransfer } from './ledger-transfer.ts';
import type { BalanceType, LedgerPage } from './money.type.ts';

const BALANCES = {
  name: 'balances-of-accounts',
  text: `select account_id as "accountId", posted - held as available, held, owed, spent
         from wallet where account_id = any($1::uuid[])`,
};

const LEDGER = {
  name: 'ledger-page',
  text: `select t.id::text as id, account_id as "accountId", kind, debit, credit, amount, request_id as "requestId",
           case when kind <> 'refund' then attempt_id end as "attemptId", reason, created_at as "createdAt"
         from ledger_transfer t where account_id = $1 and t.id < $2::bigint order by t.id desc limit $3`,
};

const NOTHING: BalanceType = { available: 0n, held: 0n, owed: 0n, spent: 0n };
const ABOVE_ALL = '9223372036854775807';

/** What accounts have, and every movement of it. */
export class WalletReader {
  readonly #pool: Pool;
  readonly #loaders = new WeakMap<Context, DataLoader<string, BalanceType>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** One statement for all accounts of an answer. */
  balanceOf(accountId: string, context: Context): Promise<BalanceType> {
    const loader = this.#loaders.get(context) ?? new DataLoader((ids: readonly string[]) => this.#balances(ids));
    this.#loaders.set(context, loader);
    return loader.load(accountId);
  }

  /** What the account has at this moment. */
  async balance(accountId: string): Promise<BalanceType> {
    const [balance] = await this.#balances([accountId]);
    return balance ?? NOTHING;
  }

  /** Newest first; `after` is the id of the last transfer of the page before. */
  async ledger(accountId: string, { size, after }: { size: number; after: string | null }): Promise<LedgerPage> {
    if (after !== null && !/^\d{1,18}$/.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    const rows = await query<Partial<LedgerTransfer>>(this.#pool, LEDGER, [accountId, after ?? ABOVE_ALL, size + 1]);
    const transfers = rows.map((row) => Object.assign(new LedgerTransfer(), row));
    return cutPage(transfers, { size, after }, ({ id }) => id);
  }

  async #balances(accountIds: readonly string[]): Promise<BalanceType[]> {
    const rows = await query<BalanceType & { accountId: string }>(this.#pool, BALANCES, [[...accountIds]]);
    const found = new Map(rows.map((row) => [row.accountId, row]));
    return accountIds.map((id) => found.get(id) ?? NOTHING);
  }
}
