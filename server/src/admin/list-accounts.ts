import type { Account } from '../accounts/model/account.ts';
import { AccountList } from '../accounts/store/account-list.ts';
import type { Balance, Wallets } from '../billing/wallets.ts';
import type { Pool } from '../database/pool.ts';
import { toUsd } from '../platform/money.ts';

export interface AccountWish {
  /** Part of an e-mail address. */
  readonly search?: string;
  /** Only those that owe something. */
  readonly owing?: boolean;
  /** So many at most. */
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

export type ListedAccounts = Awaited<ReturnType<typeof listAccounts>>;

const NONE: Balance = { posted: 0n, held: 0n, owed: 0n };

/** Accounts by their e-mail addresses, a page of them; `next` is what `after` takes for the next one, null on the last. */
export async function listAccounts(
  { pool, wallets }: { pool: Pool; wallets: Wallets },
  { search, owing = false, limit, after }: AccountWish,
) {
  const page = { size: limit, after: after ?? null };
  const { nodes, pageInfo } = await new AccountList(pool).page({ search: search ?? null, owing }, page);
  const balances = await wallets.balances(nodes.map(({ id }) => id));
  return {
    data: nodes.map((account) => listed(account, balances.get(account.id) ?? NONE)),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

function listed(account: Account, { posted, held, owed }: Balance) {
  return {
    account_id: account.id,
    email: account.email,
    tier: account.tier,
    history: account.history,
    text_days: account.textDays,
    balance_usd: toUsd(posted - held),
    held_usd: toUsd(held),
    owed_usd: toUsd(owed),
    created_at: account.createdAt.toISOString(),
  };
}
