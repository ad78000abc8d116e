import { randomUUID } from 'node:crypto';
import type { Tier } from '../../server/src/accounts/model/account.ts';
import type { Scope } from '../../server/src/accounts/model/scopes.ts';
import type { Admin as BuiltAdmin } from '../../server/src/admin/admin.ts';
import type { AdminArguments, AdminFailure, AdminWish } from './admin-desk.ts';

/** Every command answers the JSON object that is printed. */
export type Admin = Omit<BuiltAdmin, 'recorded'>;

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

/**
 * The operator's side of the product, over the same database: its commands are carried out by the `AdminDesk` of the run.
 * `secretsKeys`: SECRETS_KEY and SECRETS_KEY_PREVIOUS, where secrets are encrypted.
 */
export async function openHouseAdmin(databaseUrl: string, secretsKeys: readonly string[] = []): Promise<Admin> {
  const { inject } = await import('vitest'); // cannot be loaded outside a run, and commands load this file
  const desk = new URL('admin', inject('clusterDesk')).href;
  const id = (await post(desk, { databaseUrl, secretsKeys } satisfies AdminWish)) as string;
  const close = () => fetch(`${desk}/${id}`, { method: 'DELETE' }).then(() => undefined);
  return new Proxy({} as Admin, {
    get: (_target, name) => {
      if (name === Symbol.asyncDispose) return close;
      if (typeof name === 'symbol' || name === 'then') return undefined; // it can be awaited, and is no promise
      return (...given: readonly unknown[]) => post(`${desk}/${id}/${name}`, given.map(sendable));
    },
  });
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { message, code } = answer as AdminFailure; // written by the desk
  throw Object.assign(new Error(message), { code });
}

function sendable(argument: unknown): AdminArguments[number] {
  return argument instanceof URL ? { href: argument.href } : argument;
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
