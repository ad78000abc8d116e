import { randomUUID } from 'node:crypto';
import type { Tier } from '../../server/src/accounts/model/account.ts';
import type { Scope } from '../../server/src/accounts/model/scopes.ts';
import type { openAdmin } from '../../server/src/admin/admin.ts';
import type { Secrets } from '../../server/src/database/secrets/secrets.ts';

export type Admin = Awaited<ReturnType<typeof openAdmin>>;

/** What it takes to make accounts and to look at them. */
export type AccountsAdmin = Pick<Admin, 'createAccount' | 'createKey' | 'showAccount'>;

export interface NewAccount {
  /** USD; 10 when not given. */
  readonly credit?: number;
  /** `unlimited` when not given, so that only the tests of the rate limit meet it. */
  readonly tier?: Tier;
  readonly history?: boolean;
  readonly scopes?: Scope[];
}

/** The operator's side of the product, over the same database. */
export async function openHouseAdmin(databaseUrl: string, secrets?: Secrets): Promise<Admin> {
  // Imported late: commands that Node runs as they stand cannot load its decorators, and bring the built one.
  const admin = await import('../../server/src/admin/admin.ts');
  return admin.openAdmin(databaseUrl, secrets);
}

/** A new account with credit and a key. */
export async function makeAccount(
  admin: AccountsAdmin,
  wish: NewAccount = {},
): Promise<{ accountId: string; apiKey: string }> {
  const { account_id: accountId } = await admin.createAccount({
    email: `${randomUUID()}@example.com`,
    creditUsd: wish.credit ?? 10,
    history: wish.history ?? true,
    tier: wish.tier ?? 'unlimited',
  });
  const { api_key: apiKey } = await admin.createKey({ accountId, ...(wish.scopes && { scopes: wish.scopes }) });
  return { accountId, apiKey };
}
