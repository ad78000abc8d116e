import type { Orm } from '../../database/orm.ts';
import { type Pool, query, transaction } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Account } from '../model/account.ts';
import { ApiKey } from '../model/api-key.ts';
import { hashKey, newKeyText, prefixOf } from '../model/key-text.ts';
import { checkedLabel } from '../model/label.ts';
import { DEFAULT_SCOPES, isScope, type Scope } from '../model/scopes.ts';

/** Live keys that an account may make for itself: each has a rate limit of its own. */
const MOST_KEYS = 50;

/** Two keys of one account at the same time are counted one after the other. */
const LOCK_ACCOUNT = { name: 'key-lock-account', text: 'select 1 from account where id = $1 for no key update' };

const INSERT_KEY = {
  name: 'key-insert',
  text: `insert into api_key (id, account_id, label, prefix, hash, scopes)
         select $1, $2, $3, $4, $5, $6::text[]
         where $7::int is null or (select count(*) from api_key where account_id = $2 and revoked_at is null) < $7
         returning created_at as "createdAt"`,
};

const LABEL_KEY = { name: 'key-label', text: 'update api_key set label = $2 where id = $1' };

const REVOKE_KEY = {
  name: 'key-revoke',
  text: `update api_key set revoked_at = coalesce(revoked_at, now())
         where id = $1 and ($2::uuid is null or account_id = $2) returning revoked_at`,
};

/** Makes and changes the API keys of accounts. */
export class KeyStore {
  readonly #orm: Orm;
  readonly #pool: Pool;
  readonly #accounts: { find(id: string): Promise<Account> };

  constructor(orm: Orm, pool: Pool, accounts: { find(id: string): Promise<Account> }) {
    this.#orm = orm;
    this.#pool = pool;
    this.#accounts = accounts;
  }

  /** A new key; its text is returned here and never again. `bounded`: 400 for one more than an account may make. */
  async create(
    accountId: string,
    options: { label?: string; scopes?: readonly string[]; bounded?: boolean } = {},
  ): Promise<{ key: ApiKey; text: string }> {
    const account = await this.#accounts.find(accountId);
    const text = newKeyText();
    const key = new ApiKey();
    key.id = newId('key_');
    key.accountId = account.id;
    key.label = keyLabel(options.label ?? null);
    key.prefix = prefixOf(text);
    key.hash = hashKey(text);
    key.scopes = requireScopes(options.scopes ?? DEFAULT_SCOPES);
    const values = [key.id, key.accountId, key.label, key.prefix, key.hash, key.scopes];
    key.createdAt = await transaction(this.#pool, async (client) => {
      await client.query({ ...LOCK_ACCOUNT, values: [account.id] });
      const { rows } = await client.query<{ createdAt: Date }>({
        ...INSERT_KEY,
        values: [...values, options.bounded ? MOST_KEYS : null],
      });
      const [row] = rows;
      if (!row) throw tooManyKeys();
      return row.createdAt;
    });
    return { key, text };
  }

  /** A key; with an account, only one of its own. */
  async find(keyId: string, accountId: string | null): Promise<ApiKey> {
    const key = await this.#orm.em.fork().findOne(ApiKey, { id: keyId, ...(accountId !== null && { accountId }) });
    if (!key) throw new AppError('not_found', 'There is no such key.');
    return key;
  }

  /** Gives a key another name. With an account, only a key of its own. */
  async label(keyId: string, label: string | null, accountId: string | null = null): Promise<ApiKey> {
    const key = await this.find(keyId, accountId);
    const checked = keyLabel(label);
    await query(this.#pool, LABEL_KEY, [keyId, checked]);
    return Object.assign(key, { label: checked });
  }

  /** Refuses the key from now on; a key that was revoked before keeps its time. With an account, only a key of its own. */
  async revoke(keyId: string, accountId: string | null = null): Promise<Date> {
    const [row] = await query<{ revoked_at: Date }>(this.#pool, REVOKE_KEY, [keyId, accountId]);
    if (!row) throw new AppError('not_found', 'There is no such key.');
    return row.revoked_at;
  }
}

function tooManyKeys(): AppError {
  return new AppError('invalid_request', `An account has at most ${MOST_KEYS} keys. Revoke one that is not used.`);
}

/** The checked name; an empty one is none. */
function keyLabel(label: string | null): string | null {
  return label === null || label.trim() === '' ? null : checkedLabel(label);
}

function requireScopes(scopes: readonly string[]): Scope[] {
  return scopes.map((scope) => {
    if (!isScope(scope)) throw new AppError('invalid_request', `scopes: there is no scope "${scope}".`);
    return scope;
  });
}
