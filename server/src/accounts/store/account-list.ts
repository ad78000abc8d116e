import DataLoader from 'dataloader';
import { cutPage } from '../../database/paging/page-info.type.ts';
import { type Pool, query } from '../../database/pool.ts';
import type { Context } from '../callers/context.ts';
import { Account } from '../model/account.ts';
import type { AccountPage } from '../model/account-page.type.ts';
import { ApiKey } from '../model/api-key.ts';

/** An account of a row of `account`, without what belongs to it. */
export const ACCOUNT_COLUMNS = `id, email, tier, history, text_days as "textDays", demo, signing_secret as "signingSecret", created_at as "createdAt"`;

const PAGE = {
  name: 'accounts-page',
  text: `select ${ACCOUNT_COLUMNS} from account
         where lower(email) > lower($1) and ($2::text is null or strpos(lower(email), lower($2)) > 0)
           and (not $4::boolean or exists (select from wallet w where w.account_id = account.id and w.owed > 0))
         order by lower(email) limit $3`,
};

const KEYS = {
  name: 'keys-of-accounts',
  text: `select id, account_id as "accountId", label, prefix, scopes, created_at as "createdAt",
           last_used_at as "lastUsedAt", revoked_at as "revokedAt"
         from api_key where account_id = any($1::uuid[]) order by created_at desc, id desc`,
};

/** Accounts by their e-mail addresses, and the keys of those that are shown. */
export class AccountList {
  readonly #pool: Pool;
  readonly #loaders = new WeakMap<Context, DataLoader<string, ApiKey[]>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** `owing`: only those that owe something. */
  async page(
    { search, owing }: { search: string | null; owing: boolean },
    { size, after }: { size: number; after: string | null },
  ): Promise<AccountPage> {
    const values = [after ?? '', search, size + 1, owing];
    const rows = await query<Partial<Account>>(this.#pool, PAGE, values);
    const accounts = rows.map((row) => Object.assign(new Account(), row));
    return cutPage(accounts, { size, after }, ({ email }) => email);
  }

  /** Newest first; one statement for all accounts of an answer. */
  keysOf(accountId: string, context: Context): Promise<ApiKey[]> {
    const loader = this.#loaders.get(context) ?? new DataLoader((ids: readonly string[]) => this.#keys(ids));
    this.#loaders.set(context, loader);
    return loader.load(accountId);
  }

  async #keys(accountIds: readonly string[]): Promise<ApiKey[][]> {
    const rows = await query<Partial<ApiKey>>(this.#pool, KEYS, [[...accountIds]]);
    const keys = rows.map((row) => Object.assign(new ApiKey(), row));
    return accountIds.map((id) => keys.filter(({ accountId }) => accountId === id));
  }
}
