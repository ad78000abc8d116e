import DataLoader from 'dataloader';
import type { Context } from '../accounts/callers/context.ts';
import { cutPage } from '../database/paging/page-info.type.ts';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import { LedgerTransfer } from './ledger-transfer.ts';
import { BALANCE_COLUMNS } from './low-balance.ts';
import type { BalanceType, LedgerPage } from './money.type.ts';

const BALANCES = {
  name: 'balances-of-accounts',
  text: `select account_id as "accountId", ${BALANCE_COLUMNS}
         from wallet where account_id = any($1::uuid[])`,
};

/** What a transfer does to the balance. */
const CHANGE = `case when credit = 'wallet' then amount when debit = 'wallet' then -amount else 0 end`;
/** With more transfers than this after a page, its balances are left out: all these transfers would have to be read. */
const MOST_LATER = 100_000;

/**
 * A page of transfers, each with the balance after it: what the wallet has in the same snapshot, less everything that moved
 * later. `passed` has every transfer between the first and the last one of the page, also those that $4 and $5 leave out.
 */
const LEDGER = {
  name: 'ledger-page',
  text: `
  with page as materialized (
    select t.id as place, account_id as "accountId", kind, debit, credit, amount, request_id as "requestId",
      case when kind <> 'refund' then attempt_id end as "attemptId", reason, created_at as "createdAt"
    from ledger_transfer t
    where account_id = $1 and t.id < $2::bigint and ($4::timestamptz is null or created_at >= $4)
      and ($5::timestamptz is null or created_at < $5)
    order by t.id desc limit $3
  ), later as (
    select count(*) as many, coalesce(sum(change), 0) as moved from (
      select ${CHANGE} as change from ledger_transfer
      where account_id = $1 and id > (select max(place) from page) limit ${MOST_LATER + 1}
    ) newest
  ), passed as (
    select id as place, coalesce(sum(${CHANGE}) over (order by id desc rows between unbounded preceding and 1 preceding), 0)
      as moved
    from ledger_transfer
    where account_id = $1 and id between (select min(place) from page) and (select max(place) from page)
  )
  select page.place::text as id, page.*,
    case when later.many <= ${MOST_LATER} then (w.posted - later.moved - passed.moved)::bigint end as "balanceAfter"
  from page join passed using (place) cross join later left join wallet w on w.account_id = $1
  order by page.place desc`,
};

const NOTHING: BalanceType = { available: 0n, held: 0n, owed: 0n, spent: 0n, lowThreshold: null, isLow: false };
const ABOVE_ALL = '9223372036854775807';

/** A page of transfers; `from` and `to` bound the time at which they were written, null does not. */
interface LedgerWish {
  readonly size: number;
  readonly after: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Balances of accounts, and their ledgers page by page, for owners and operators. */
export class LedgerReader {
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
  async ledger(accountId: string, { size, after, from, to }: LedgerWish): Promise<LedgerPage> {
    if (after !== null && !/^\d{1,18}$/.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    const values = [accountId, after ?? ABOVE_ALL, size + 1, from, to];
    const rows = await query<Partial<LedgerTransfer> & { place?: unknown }>(this.#pool, LEDGER, values);
    const transfers = rows.map(({ place: _, ...row }) => Object.assign(new LedgerTransfer(), row));
    return cutPage(transfers, { size, after }, ({ id }) => id);
  }

  async #balances(accountIds: readonly string[]): Promise<BalanceType[]> {
    const rows = await query<BalanceType & { accountId: string }>(this.#pool, BALANCES, [[...accountIds]]);
    const found = new Map(rows.map((row) => [row.accountId, row]));
    return accountIds.map((id) => found.get(id) ?? NOTHING);
  }
}
