import { AccountBook, type NewAccount } from '../accounts/account-book.ts';
import { Audit } from '../accounts/audit.ts';
import { type Identity, openIdentity } from '../accounts/identity.ts';
import { cookieRules, sessionCookieName } from '../accounts/session-cookie.ts';
import { Ledger } from '../billing/ledger.ts';
import { PendingCosts } from '../billing/pending-costs.ts';
import { usdAmount } from '../billing/usd-amount.ts';
import { toUsd } from '../database/money.ts';
import { openOrm } from '../database/orm.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { Availability } from '../engines/availability.ts';
import { ENTITIES } from '../entities.ts';
import { makeLog } from '../log.ts';
import { seedDemo } from './demo/seed-demo.ts';

/** What operators do from the command line; every answer is the JSON object that is printed. */
export class Admin implements AsyncDisposable {
  readonly #accounts: AccountBook;
  readonly #identity: Pick<Identity, 'door' | 'sessions'>;
  readonly #ledger: Ledger;
  readonly #pendingCosts: PendingCosts;
  readonly #availability: Availability;
  readonly #audit: Audit;
  readonly #pool: Pool;
  readonly #close: () => Promise<void>;

  constructor(deps: {
    accounts: AccountBook;
    identity: Pick<Identity, 'door' | 'sessions'>;
    ledger: Ledger;
    pendingCosts: PendingCosts;
    availability: Availability;
    audit: Audit;
    pool: Pool;
    close: () => Promise<void>;
  }) {
    this.#accounts = deps.accounts;
    this.#identity = deps.identity;
    this.#ledger = deps.ledger;
    this.#pendingCosts = deps.pendingCosts;
    this.#availability = deps.availability;
    this.#audit = deps.audit;
    this.#pool = deps.pool;
    this.#close = deps.close;
  }

  async createAccount({ creditUsd, ...account }: NewAccount & { creditUsd?: number }): Promise<{ account_id: string }> {
    const credit = creditUsd === undefined ? 0n : usdAmount(creditUsd);
    const { id } = await this.#accounts.create(account);
    if (credit > 0n) await this.#ledger.topUp(id, credit);
    return { account_id: id };
  }

  async showAccount(id: string) {
    const account = await this.#accounts.find(id);
    const balance = await this.#ledger.balance(account.id);
    return {
      account_id: account.id,
      email: account.email,
      tier: account.tier,
      history: account.history,
      balance_usd: toUsd(balance.posted - balance.held),
      held_usd: toUsd(balance.held),
      owed_usd: toUsd(balance.owed),
      signing_secret: account.signingSecret,
    };
  }

  async createKey(options: { accountId: string; label?: string; scopes?: readonly string[] }) {
    const { key, text } = await this.#accounts.createKey(options.accountId, options);
    return { key_id: key.id, api_key: text };
  }

  async revokeKey(keyId: string) {
    return { key_id: keyId, revoked_at: (await this.#accounts.revokeKey(keyId)).toISOString() };
  }

  /** A login without its password; the cookie is for the dashboard at the address. */
  async createSession(accountId: string, dashboard: URL) {
    const account = await this.#accounts.find(accountId);
    const { secret, sessionToken } = await this.#identity.door.open(account.id);
    return { session_token: sessionToken, cookie: `${sessionCookieName(cookieRules(dashboard))}=${secret}` };
  }

  /** For somebody who has forgotten it, or whose browser was stolen: every session ends with the old one. */
  async setPassword(accountId: string, password: string) {
    const account = await this.#accounts.find(accountId);
    await this.#accounts.setPassword(account.id, password);
    await this.#identity.sessions.revokeAll(account.id);
    return { account_id: account.id };
  }

  async addCredit(accountId: string, usd: number) {
    const account = await this.#accounts.find(accountId);
    const balance = await this.#ledger.topUp(account.id, usdAmount(usd));
    return { account_id: account.id, balance_usd: toUsd(balance.posted - balance.held), owed_usd: toUsd(balance.owed) };
  }

  async setHistory(accountId: string, on: boolean) {
    await this.#accounts.setHistory(accountId, on);
    return { account_id: accountId, history: on };
  }

  async setEngineEnabled(engineId: string, enabled: boolean) {
    await this.#availability.set(engineId, enabled);
    return { engine_id: engineId, enabled };
  }

  async pendingBilling() {
    const pending = await this.#pendingCosts.list();
    return {
      data: pending.map(({ attemptId, requestId, engine, createdAt }) => ({
        attempt_id: attemptId,
        request_id: requestId,
        engine,
        created_at: createdAt.toISOString(),
      })),
    };
  }

  /** `owed_usd` is what of this cost the balance did not cover. */
  async verifyBilling(attemptId: string, usd: number) {
    const { debited, owed } = await this.#pendingCosts.verify(attemptId, usdAmount(usd));
    return { attempt_id: attemptId, debited_usd: toUsd(debited), owed_usd: toUsd(owed) };
  }

  seedDemo({ days, seed }: { days: number; seed: string }) {
    return seedDemo(this.#pool, { days, seed, now: new Date() }, makeLog('silent'));
  }

  /** Writes down what is done, as for operators of the API; passwords are left out. */
  recorded<T>(action: string, options: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
    const { password: _password, ...details } = options;
    const subject = [options['account'], options['key'], options['attempt'], options['engine'], options['email']].find(
      (value) => typeof value === 'string',
    );
    const act = { via: 'command line', accountId: null, keyId: null, action, details } as const;
    return this.#audit.record({ ...act, subject: typeof subject === 'string' ? subject : null }, work);
  }

  async doctor() {
    const checks = await this.#ledger.check();
    return { ok: checks.every(({ ok }) => ok), checks };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

/** Opens the commands over a database that is there and migrated. */
export async function openAdmin(databaseUrl: string): Promise<Admin> {
  const orm = await openOrm(databaseUrl, ENTITIES, 2);
  const log = makeLog('silent');
  const pool = openPool(databaseUrl, { max: 2, log, plans: 'free' });
  return new Admin({
    accounts: new AccountBook(orm, pool),
    identity: openIdentity(pool, null, log),
    ledger: new Ledger(pool),
    pendingCosts: new PendingCosts(pool),
    availability: new Availability(pool),
    audit: new Audit(pool),
    pool,
    close: async () => {
      await pool.end();
      await orm.close(true);
    },
  });
}
