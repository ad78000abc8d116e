import { randomBytes, randomUUID } from 'node:crypto';
import type { Orm } from '../database/orm.ts';
import { type Pool, query, transaction } from '../database/pool.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { Account, TIERS, type Tier } from './account.ts';
import { ApiKey } from './api-key.ts';
import { hashKey, newKeyText, prefixOf } from './key-text.ts';
import { hashPassword, requirePassword } from './password.ts';
import { DEFAULT_SCOPES, isScope, type Scope } from './scopes.ts';

const LONGEST_LABEL = 200;
const LONGEST_EMAIL = 320;
/** One @ with something before and behind it, and no control characters. */
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;

export interface NewAccount {
  readonly email: string;
  readonly password?: string;
  readonly tier?: string;
  readonly history?: boolean;
}

const SET_PASSWORD = { name: 'account-password', text: 'update account set password_hash = $2 where id = $1' };

const LABEL_KEY = { name: 'key-label', text: 'update api_key set label = $2 where id = $1' };

/** Makes and changes accounts and their keys. */
export class AccountBook {
  readonly #orm: Orm;
  readonly #pool: Pool;

  constructor(orm: Orm, pool: Pool) {
    this.#orm = orm;
    this.#pool = pool;
  }

  async create({ email, password, tier = 'free', history = true }: NewAccount): Promise<Account> {
    if (!EMAIL.test(email) || email.length > LONGEST_EMAIL)
      throw new AppError('invalid_request', 'email: must be an e-mail address.');
    const em = this.#orm.em.fork();
    if (await em.findOne(Account, { email: { $ilike: email.replace(/[\\%_]/g, '\\$&') } })) {
      throw new AppError('invalid_request', `email: there is an account of ${email} already.`);
    }
    const account = new Account();
    account.id = randomUUID();
    account.email = email;
    account.passwordHash = password === undefined ? null : await hashPassword(password);
    account.tier = requireTier(tier);
    account.history = history;
    account.signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
    await em.persist(account).flush();
    await this.#pool.query('insert into wallet (account_id) values ($1) on conflict do nothing', [account.id]);
    return account;
  }

  async find(id: string): Promise<Account> {
    const account = isUuid(id) ? await this.#orm.em.fork().findOne(Account, { id }) : null;
    if (!account) throw new AppError('not_found', 'There is no such account.');
    return account;
  }

  /** Gives an account a new password, by the rule for people who choose their own. */
  async setPassword(accountId: string, password: string): Promise<void> {
    requirePassword(password);
    await query(this.#pool, SET_PASSWORD, [accountId, await hashPassword(password)]);
  }

  async findByEmail(email: string): Promise<Account | null> {
    return this.#orm.em.fork().findOne(Account, { email });
  }

  /** A new key; its text is returned here and never again. */
  async createKey(
    accountId: string,
    options: { label?: string; scopes?: readonly string[] } = {},
  ): Promise<{ key: ApiKey; text: string }> {
    const account = await this.find(accountId);
    const text = newKeyText();
    const key = new ApiKey();
    key.id = newId('key_');
    key.accountId = account.id;
    key.label = checkKeyLabel(options.label ?? null);
    key.prefix = prefixOf(text);
    key.hash = hashKey(text);
    key.scopes = requireScopes(options.scopes ?? DEFAULT_SCOPES);
    await this.#orm.em.fork().persist(key).flush();
    return { key, text };
  }

  /** Gives a key another name. With an account, only a key of its own. */
  async labelKey(keyId: string, label: string | null, accountId: string | null = null): Promise<ApiKey> {
    const key = await this.#orm.em.fork().findOne(ApiKey, { id: keyId, ...(accountId !== null && { accountId }) });
    if (!key) throw new AppError('not_found', 'There is no such key.');
    const checked = checkKeyLabel(label);
    await query(this.#pool, LABEL_KEY, [keyId, checked]);
    return Object.assign(key, { label: checked });
  }

  /** Refuses the key from now on; a key that was revoked before keeps its time. With an account, only a key of its own. */
  async revokeKey(keyId: string, accountId: string | null = null): Promise<Date> {
    const [row] = await query<{ revoked_at: Date }>(
      this.#pool,
      {
        name: 'key-revoke',
        text: `update api_key set revoked_at = coalesce(revoked_at, now()) where id = $1 and ($2::uuid is null or account_id = $2) returning revoked_at`,
      },
      [keyId, accountId],
    );
    if (!row) throw new AppError('not_found', 'There is no such key.');
    return row.revoked_at;
  }

  /** Switching history off deletes the texts of finished requests at once. */
  async setHistory(accountId: string, on: boolean): Promise<void> {
    await this.find(accountId);
    await transaction(this.#pool, async (client) => {
      await client.query('update account set history = $2 where id = $1', [accountId, on]);
      if (on) return;
      await client.query(
        `update ocr_page p set text = null from ocr_request r
         where p.request_id = r.id and r.account_id = $1 and p.text is not null`,
        [accountId],
      );
      await client.query(
        `update ocr_request set text_retained = false, preview = null, metadata = metadata - 'possibleDuplicate'
         where account_id = $1 and finished_at is not null and text_retained`,
        [accountId],
      );
      // Webhook bodies hold previews; one that is still being delivered loses its body when that ends.
      await client.query(
        `update webhook_delivery set body = null
         where account_id = $1 and finished_at is not null and body is not null and request_id is not null`,
        [accountId],
      );
    });
  }
}

/** A name for people; an empty one is none. Throws for one that is too long or that PostgreSQL cannot store. */
function checkKeyLabel(label: string | null): string | null {
  if (label === null || label.trim() === '') return null;
  if (label.length > LONGEST_LABEL) {
    throw new AppError('invalid_request', `label: is longer than ${LONGEST_LABEL} characters.`);
  }
  if (label.includes('\0') || !label.isWellFormed()) {
    throw new AppError('invalid_request', 'label: contains a NUL or an incomplete character.');
  }
  return label;
}

function requireTier(tier: string): Tier {
  if (!Object.hasOwn(TIERS, tier)) {
    throw new AppError('invalid_request', `tier: must be one of ${Object.keys(TIERS).join(', ')}.`);
  }
  return tier as Tier; // it is one of the keys
}

function requireScopes(scopes: readonly string[]): Scope[] {
  return scopes.map((scope) => {
    if (!isScope(scope)) throw new AppError('invalid_request', `scopes: there is no scope "${scope}".`);
    return scope;
  });
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
