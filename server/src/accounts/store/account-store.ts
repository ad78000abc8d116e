import { randomUUID } from 'node:crypto';
import type { Orm } from '../../database/orm.ts';
import { type Pool, query } from '../../database/pool.ts';
import type { Secrets } from '../../database/secrets/secrets.ts';
import { subjectOf } from '../../database/secrets/stored-secrets.ts';
import { AppError } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { Account, TIERS, type Tier } from '../model/account.ts';
import { hashPassword, requirePassword } from '../model/password.ts';
import { newSigningSecret } from '../model/signing-secret.ts';
import { KeyStore } from './key-store.ts';

const LONGEST_EMAIL = 320;
const MOST_TEXT_DAYS = 3650;
/** One @ with something before and behind it, and no control characters. */
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;

export interface NewAccount {
  readonly email: string;
  readonly password?: string;
  readonly tier?: string;
  readonly history?: boolean;
  /** Whether the address is known to be the owner's; not where people register for themselves. */
  readonly emailVerified?: boolean;
}

/** An account and its wallet are one statement: neither is there without the other. */
const CREATE = {
  name: 'account-create',
  text: `with made as (
           insert into account (id, email, password_hash, tier, history, signing_secret, email_verified)
           values ($1, $2, $3, $4, $5, $6, $7) returning id
         )
         insert into wallet (account_id) select id from made`,
};

const SET_PASSWORD = { name: 'account-password', text: 'update account set password_hash = $2 where id = $1' };

const SET_EMAIL = { name: 'account-email', text: 'update account set email = $2, email_verified = true where id = $1' };

/** Requests of the time in which history is off are not kept either, though they end later: `on` sets the time, too. */
const SWITCH_HISTORY = {
  name: 'account-history',
  text: `with switched as (
           update account set history = $2, history_off_at = case when $2 and history then history_off_at else now() end
           where id = $1 returning id, history
         )
         insert into text_purge (account_id) select id from switched where not history
         on conflict (account_id) do update set after_id = '', passes_left = excluded.passes_left, due_at = now()`,
};

const SET_TEXT_DAYS = { name: 'account-text-days', text: 'update account set text_days = $2 where id = $1' };

/** Nobody comes in by it any more, its address is free, and no text of it is kept. */
const END = {
  name: 'account-end',
  text: `with ended as (
           update account set email = 'deleted-' || id, email_verified = false, password_hash = null, history = false,
             history_off_at = now(), deleted_at = coalesce(deleted_at, now())
           where id = $1 returning id
         )
         update api_key set revoked_at = coalesce(revoked_at, now()), label = null
         where account_id = (select id from ended)`,
};

/** Deletes a batch of the texts of an account that has switched history off; answers whether there are more. */
export type PurgeTexts = (accountId: string) => Promise<boolean>;

/** Makes and changes accounts. */
export class AccountStore {
  readonly keys: KeyStore;
  readonly #orm: Orm;
  readonly #pool: Pool;
  readonly #secrets: Secrets;
  readonly #purgeTexts: PurgeTexts;

  constructor(orm: Orm, pool: Pool, secrets: Secrets, purgeTexts: PurgeTexts) {
    this.#orm = orm;
    this.#pool = pool;
    this.#secrets = secrets;
    this.#purgeTexts = purgeTexts;
    this.keys = new KeyStore(orm, pool, this);
  }

  async create({
    email,
    password,
    tier = 'free',
    history = true,
    emailVerified = false,
  }: NewAccount): Promise<Account> {
    requireEmail(email);
    const em = this.#orm.em.fork();
    if (await em.findOne(Account, { email: { $ilike: email.replace(/[\\%_]/g, '\\$&') } })) {
      throw isTaken(email);
    }
    const account = new Account();
    account.id = randomUUID();
    account.email = email;
    account.passwordHash = password === undefined ? null : await hashPassword(password);
    account.tier = requireTier(tier);
    account.history = history;
    account.emailVerified = emailVerified;
    account.signingSecret = this.#secrets.seal(subjectOf('account', account.id), newSigningSecret());
    const { id, passwordHash, signingSecret } = account;
    const values = [id, email, passwordHash, account.tier, history, signingSecret, emailVerified];
    await query(this.#pool, CREATE, values).catch((error: unknown) => {
      // Somebody else took the address since it was looked for.
      throw isEmailConflict(error) ? isTaken(email) : error;
    });
    return account;
  }

  async find(id: string): Promise<Account> {
    const account = isUuid(id) ? await this.#orm.em.fork().findOne(Account, { id }) : null;
    if (!account) throw new AppError('not_found', 'There is no such account.');
    return account;
  }

  /** What signs webhooks to URLs that are no registration of the account. */
  signingSecretOf({ id, signingSecret }: Account): string {
    return this.#secrets.open(subjectOf('account', id), signingSecret);
  }

  /** Gives an account a new password, by the rule for people who choose their own. */
  async setPassword(accountId: string, password: string): Promise<void> {
    requirePassword(password);
    await query(this.#pool, SET_PASSWORD, [accountId, await hashPassword(password)]);
  }

  /** Another address, or the same one, of which the operator knows that it is the owner's. */
  async setEmail(accountId: string, email: string): Promise<void> {
    requireEmail(email);
    await query(this.#pool, SET_EMAIL, [accountId, email]).catch((error: unknown) => {
      throw isEmailConflict(error) ? isTaken(email) : error;
    });
  }

  async findByEmail(email: string): Promise<Account | null> {
    return this.#orm.em.fork().findOne(Account, { email });
  }

  /**
   * Switching history off makes all earlier texts unreadable at once. What is stored of them is deleted batch by batch:
   * the first one here, the rest by `TextPurge`, whatever becomes of this process.
   */
  async setHistory(accountId: string, on: boolean): Promise<void> {
    await this.find(accountId);
    await query(this.#pool, SWITCH_HISTORY, [accountId, on]);
    if (!on) await this.#purgeTexts(accountId).catch(noMatter);
  }

  /** Revokes its keys and takes its address and its password; sessions and what its requests read are others' matter. */
  async end(accountId: string): Promise<void> {
    await query(this.#pool, END, [accountId]);
  }

  /** From now on older texts are gone for whoever reads; the next purge deletes them. */
  async setTextDays(accountId: string, days: number | null): Promise<Account> {
    requireTextDays(days);
    await this.find(accountId);
    await query(this.#pool, SET_TEXT_DAYS, [accountId, days]);
    return this.find(accountId);
  }
}

/** Whole days, 1 to 3650; null for ever. */
function requireTextDays(days: number | null): void {
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= MOST_TEXT_DAYS)) return;
  throw new AppError('invalid_request', `textDays: must be 1 to ${MOST_TEXT_DAYS} days, or none at all.`);
}

/** The job tries again. */
function noMatter(): void {}

function requireEmail(email: string): void {
  if (EMAIL.test(email) && email.length <= LONGEST_EMAIL) return;
  throw new AppError('invalid_request', 'email: must be an e-mail address.');
}

function isTaken(email: string): AppError {
  return new AppError('invalid_request', `email: there is an account of ${email} already.`);
}

function isEmailConflict(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'account_email_unique';
}

function requireTier(tier: string): Tier {
  if (!Object.hasOwn(TIERS, tier)) {
    throw new AppError('invalid_request', `tier: must be one of ${Object.keys(TIERS).join(', ')}.`);
  }
  return tier as Tier; // it is one of the keys
}
