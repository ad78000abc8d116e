import { type Identity, openIdentity } from '../accounts/identity.ts';
import { cookieRules, sessionCookieName } from '../accounts/login/session-cookie.ts';
import { AccountStore, type NewAccount } from '../accounts/store/account-store.ts';
import { Audit } from '../accounts/store/audit.ts';
import { Corrections } from '../billing/corrections.ts';
import { LedgerProof } from '../billing/ledger-proof.ts';
import { MOST_PENDING, PendingCosts } from '../billing/pending-costs.ts';
import { signedUsdAmount, usdAmount } from '../billing/usd-amount.ts';
import { type Balance, Wallets } from '../billing/wallets.ts';
import { openOrm } from '../database/orm.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { PLAIN_SECRETS, type Secrets } from '../database/secrets/secrets.ts';
import { requireKey, rotateSecrets } from '../database/secrets/stored-secrets.ts';
import { Availability } from '../engines/availability.ts';
import { ENTITIES } from '../entities.ts';
import { recordDiagnosis } from '../monitoring/doctor-results.ts';
import { AppError } from '../platform/errors.ts';
import { makeLog } from '../platform/logging/log.ts';
import { toUsd } from '../platform/money.ts';
import { purgeTexts } from '../requests/store/forget.ts';
import { forgetExpired } from '../requests/store/forget-expired.ts';
import { AccountExports } from '../usage/export/account-export.ts';
import { diagnose } from './doctor.ts';
import { endAccount, exportAccount } from './end-account.ts';
import { type AccountWish, listAccounts } from './list-accounts.ts';
import { seedDemo } from './seed-demo.ts';

interface AdminDeps {
  readonly accounts: AccountStore;
  readonly identity: Pick<Identity, 'loginEndpoint' | 'sessions' | 'keys' | 'identities'>;
  readonly wallets: Wallets;
  readonly proof: LedgerProof;
  readonly pendingCosts: PendingCosts;
  readonly corrections: Corrections;
  readonly availability: Availability;
  readonly audit: Audit;
  readonly secrets: Secrets;
  readonly rotateSecrets: () => Promise<number>;
  readonly exports: AccountExports;
  readonly pool: Pool;
  readonly close: () => Promise<void>;
}

/** What operators do from the command line; every answer is the JSON object that is printed. */
export class Admin implements AsyncDisposable {
  readonly #deps: AdminDeps;

  constructor(deps: AdminDeps) {
    this.#deps = deps;
  }

  async createAccount({ creditUsd, ...account }: NewAccount & { creditUsd?: number }): Promise<{ account_id: string }> {
    const credit = creditUsd === undefined ? 0n : usdAmount(creditUsd);
    const { id } = await this.#deps.accounts.create({ emailVerified: true, ...account });
    if (credit > 0n) await this.#deps.corrections.topUp(id, credit);
    return { account_id: id };
  }

  async showAccount(id: string) {
    const account = await this.#deps.accounts.find(id);
    const balance = await this.#deps.wallets.balance(account.id);
    return {
      account_id: account.id,
      email: account.email,
      email_verified: account.emailVerified,
      tier: account.tier,
      history: account.history,
      text_days: account.textDays,
      balance_usd: toUsd(balance.posted - balance.held),
      held_usd: toUsd(balance.held),
      owed_usd: toUsd(balance.owed),
      signing_secret: this.#deps.accounts.signingSecretOf(account),
    };
  }

  listAccounts(wish: AccountWish) {
    return listAccounts({ pool: this.#deps.pool, wallets: this.#deps.wallets }, wish);
  }

  async createKey(options: { accountId: string; label?: string; scopes?: readonly string[] }) {
    const { key, text } = await this.#deps.accounts.keys.create(options.accountId, options);
    return { key_id: key.id, api_key: text };
  }

  async revokeKey(keyId: string) {
    return { key_id: keyId, revoked_at: (await this.#deps.accounts.keys.revoke(keyId)).toISOString() };
  }

  /** A login without its password; the cookie is for the dashboard at the address. */
  async createSession(accountId: string, dashboard: URL) {
    const account = await this.#deps.accounts.find(accountId);
    const { secret, sessionToken } = await this.#deps.identity.loginEndpoint.open(account.id);
    return { session_token: sessionToken, cookie: `${sessionCookieName(cookieRules(dashboard))}=${secret}` };
  }

  /** For somebody who has forgotten it, or whose browser was stolen: every session ends with the old one. */
  async setPassword(accountId: string, password: string) {
    const account = await this.#deps.accounts.find(accountId);
    await this.#deps.accounts.setPassword(account.id, password);
    await this.#deps.identity.sessions.revokeAll(account.id);
    return { account_id: account.id };
  }

  /** For an address that somebody else has registered, or of which it is known now whose it is. */
  async setEmail(accountId: string, email: string) {
    const account = await this.#deps.accounts.find(accountId);
    await this.#deps.accounts.setEmail(account.id, email);
    return { account_id: account.id, email, email_verified: true };
  }

  /** The next login at the identity provider with the account's address is the owner's. */
  async disconnect(accountId: string) {
    const account = await this.#deps.accounts.find(accountId);
    return { account_id: account.id, logins_forgotten: await this.#deps.identity.identities.forget(account.id) };
  }

  /** The same `key` again adds nothing. */
  async addCredit(accountId: string, usd: number, key: string | null = null) {
    const { id } = await this.#deps.accounts.find(accountId);
    return shown(id, await this.#deps.corrections.topUp(id, usdAmount(usd), { key }));
  }

  /** Below 0 it is taken away, as far as it is available. */
  async adjustCredit(accountId: string, usd: number, correction: { reason: string; key?: string | null }) {
    const { id } = await this.#deps.accounts.find(accountId);
    return shown(id, await this.#deps.corrections.adjust(id, signedUsdAmount(usd), correction));
  }

  /** All that is left of the charge, without an amount. */
  async refund(requestId: string, usd: number | null, correction: { reason: string; key?: string | null }) {
    const amount = usd === null ? null : usdAmount(usd);
    const { accountId, refunded, available, owed } = await this.#deps.corrections.refund(requestId, amount, correction);
    return {
      request_id: requestId,
      account_id: accountId,
      refunded_usd: toUsd(refunded),
      balance_usd: toUsd(available),
      owed_usd: toUsd(owed),
    };
  }

  async setHistory(accountId: string, on: boolean) {
    await this.#deps.accounts.setHistory(accountId, on);
    while (!on && (await purgeTexts(this.#deps.pool, accountId)));
    return { account_id: accountId, history: on };
  }

  /** Null keeps texts for ever. What is too old by now is deleted before the answer. */
  async setRetention(accountId: string, textDays: number | null) {
    await this.#deps.accounts.setTextDays(accountId, textDays);
    if (textDays !== null) await forgetExpired(this.#deps.pool, { id: accountId, days: textDays });
    return { account_id: accountId, text_days: textDays };
  }

  exportAccount(accountId: string, file: string) {
    return exportAccount({ accounts: this.#deps.accounts, exports: this.#deps.exports }, accountId, file);
  }

  deleteAccount(accountId: string) {
    return endAccount(this.#ending, accountId);
  }

  get #ending() {
    return {
      pool: this.#deps.pool,
      accounts: this.#deps.accounts,
      identity: this.#deps.identity,
      corrections: this.#deps.corrections,
    };
  }

  async setEngineEnabled(engineId: string, enabled: boolean) {
    await this.#deps.availability.set(engineId, enabled);
    return { engine_id: engineId, enabled };
  }

  async pendingBilling() {
    const pending = await this.#deps.pendingCosts.list();
    const isCut = pending.length === MOST_PENDING;
    return {
      ...(isCut && { note: `Only the oldest ${MOST_PENDING} are listed: verify them to see more.` }),
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
    const { debited, owed } = await this.#deps.pendingCosts.verify(attemptId, usdAmount(usd));
    return { attempt_id: attemptId, debited_usd: toUsd(debited), owed_usd: toUsd(owed) };
  }

  seedDemo({ days, seed }: { days: number; seed: string }) {
    return seedDemo(this.#deps.pool, { days, seed, now: new Date() }, makeLog('silent'));
  }

  /** Writes down what is done, as for operators of the API; passwords are left out. */
  recorded<T>(action: string, options: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
    const { password: _password, ...details } = options;
    const subject = [
      options['request'],
      options['account'],
      options['key'],
      options['attempt'],
      options['engine'],
      options['email'],
    ].find((value) => typeof value === 'string');
    const act = { via: 'command line', accountId: null, keyId: null, action, details } as const;
    return this.#deps.audit.record({ ...act, subject: typeof subject === 'string' ? subject : null }, work);
  }

  /** Encrypts all stored secrets with the present key; a key in a file is replaced first. */
  async rotateSecrets() {
    if (!this.#deps.secrets.encrypts) {
      throw new AppError('invalid_request', 'SECRETS_KEY is not set: there is no key to encrypt with.');
    }
    return { encrypted: await this.#deps.rotateSecrets(), key_id: this.#deps.secrets.keyId };
  }

  /** Another key signs the tokens of sessions; the former one verifies until they have expired. */
  async rotateIdentity() {
    const { kid, retired } = await this.#deps.identity.keys.rotate();
    return { kid, retired };
  }

  /**
   * `full` reads every transfer and request again; without it, those since the last time that all was well. `fast` rests
   * for nobody. `archives` is the folder of what was archived.
   */
  async doctor({
    full = false,
    fast = false,
    archives = null,
  }: {
    full?: boolean;
    fast?: boolean;
    archives?: string | null;
  } = {}) {
    const deps = { pool: this.#deps.pool, proof: this.#deps.proof, secrets: this.#deps.secrets };
    const diagnosis = await diagnose(deps, { full, fast, archives });
    // A database of another version, or one that only reads, is diagnosed all the same.
    await recordDiagnosis(this.#deps.pool, diagnosis.checks).catch(() => undefined);
    return diagnosis;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#deps.close();
  }
}

function shown(accountId: string, { posted, held, owed }: Balance) {
  return { account_id: accountId, balance_usd: toUsd(posted - held), owed_usd: toUsd(owed) };
}

/** Opens the commands over a database that is there and migrated. */
export async function openAdmin(databaseUrl: string, secrets: Secrets = PLAIN_SECRETS): Promise<Admin> {
  const orm = await openOrm(databaseUrl, ENTITIES, 2);
  const log = makeLog('silent');
  const pool = openPool(databaseUrl, { max: 2, log, kind: 'admin' });
  await requireKey(pool, secrets);
  return new Admin({
    accounts: new AccountStore(orm, pool, secrets, (accountId) => purgeTexts(pool, accountId)),
    identity: openIdentity(pool, secrets, { settings: null, log }),
    secrets,
    rotateSecrets: () => rotateSecrets(databaseUrl, secrets, log),
    wallets: new Wallets(pool),
    proof: new LedgerProof(databaseUrl),
    pendingCosts: new PendingCosts(pool),
    corrections: new Corrections(pool),
    availability: new Availability(pool),
    audit: new Audit(pool),
    exports: new AccountExports({ url: databaseUrl, leases: pool }),
    pool,
    close: async () => {
      await pool.end();
      await orm.close(true);
    },
  });
}
