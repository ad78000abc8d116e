import { Batcher } from '../../database/batches/batcher.ts';
import { overtaking } from '../../database/batches/overtaking.ts';
import { type Pool, query } from '../../database/pool.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { AppError } from '../../platform/errors.ts';
import type { Tier } from '../model/account.ts';
import { hashKey, isKeyText } from '../model/key-text.ts';
import type { Scope } from '../model/scopes.ts';
import type { AnonymousLimiter } from './anonymous-limiter.ts';
import type { Caller } from './caller.ts';

/** How long an answer of the database is believed: a revocation is felt by every process within a second. */
const BELIEVED_MS = 500;
const LAST_USE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** Keys that are none are remembered apart: inventions push out no key of another caller. */
const MAX_REFUSED = 1000;
/** Three parts with dots between them: what a JSON Web Token looks like, and an API key never does. */
const TOKEN_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const FIND_KEYS = {
  name: 'find-keys',
  repeatable: true,
  text: `select k.hash, k.id, k.account_id, k.scopes, k.revoked_at is not null as revoked, a.tier, a.history, a.text_days,
           b.amount is not null as budgeted
         from api_key k join account a on a.id = k.account_id left join key_budget b on b.key_id = k.id where k.hash = any($1::bytea[])`,
};

const TOUCH_KEY = { name: 'touch-key', text: 'update api_key set last_used_at = now() where id = $1' };

export interface TokenCallers {
  caller(token: string): Promise<Caller | null>;
}

interface Remembered {
  caller: Caller;
  until: number;
  touchedAt: number;
}

/** Turns `Authorization: Bearer …` into the caller. */
export class Authenticator {
  readonly #pool: Pool;
  readonly #tokens: TokenCallers;
  readonly #anonymous: AnonymousLimiter;
  readonly #remembered = new Map<string, Remembered>();
  readonly #refused = new Map<string, number>();
  readonly #lookups: Batcher<Buffer, Caller | null>;

  /**
   * `tokens` knows the callers of signed tokens; null for one that is not valid. `anonymous` counts what is not valid,
   * by the address it comes from.
   */
  constructor(pool: Pool, tokens: TokenCallers, anonymous: AnonymousLimiter) {
    this.#pool = pool;
    this.#tokens = tokens;
    this.#anonymous = anonymous;
    this.#lookups = new Batcher((hashes) => this.#find(hashes), {
      semaphore: new Semaphore(1, overtaking(1)),
      waits: pool.waits,
    });
  }

  /**
   * The caller, or null when no credentials were sent. Throws 401 for credentials that are not valid, and 429 when too
   * many of them came from the address.
   */
  async authenticate(authorization: string | undefined, address: string): Promise<Caller | null> {
    if (authorization === undefined) return null;
    const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    const isToken = text !== undefined && TOKEN_SHAPE.test(text);
    const caller = text === undefined ? null : await (isToken ? this.#tokens.caller(text) : this.#byKey(text, address));
    if (caller) return caller;
    this.#anonymous.hit(address);
    if (isToken) throw new AppError('authentication_error', 'The token is not valid, or its session has ended.');
    throw refused();
  }

  async #byKey(text: string, address: string): Promise<Caller | null> {
    if (!isKeyText(text)) return null;
    const now = performance.now();
    const known = this.#remembered.get(text);
    if (known && known.until > now) return known.caller;
    if ((this.#refused.get(text) ?? 0) > now) return null;
    if (!known) this.#anonymous.requireRoom(address);
    const caller = await this.#lookups.add(hashKey(text));
    if (caller) this.#remember(text, caller, now, known);
    else this.#forget(text, now);
    return caller;
  }

  #forget(text: string, now: number): void {
    this.#remembered.delete(text);
    if (this.#refused.size >= MAX_REFUSED) this.#refused.clear();
    this.#refused.set(text, now + BELIEVED_MS);
  }

  #remember(text: string, caller: Caller, now: number, before: Remembered | undefined): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const touchedAt = before?.touchedAt ?? Number.NEGATIVE_INFINITY;
    const due = now - touchedAt > LAST_USE_EVERY_MS;
    this.#remembered.set(text, { caller, until: now + BELIEVED_MS, touchedAt: due ? now : touchedAt });
    if (due) void query(this.#pool, TOUCH_KEY, [caller.keyId]).catch(() => undefined); // a lost "last used" costs nothing
  }

  async #find(hashes: Buffer[]): Promise<(Caller | null)[]> {
    const rows = await query<KeyRow>(this.#pool, FIND_KEYS, [hashes]);
    const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
    return hashes.map((hash) => {
      const row = byHash.get(hash.toString('hex'));
      if (!row || row.revoked) return null;
      const { scopes, tier, history, text_days: textDays, budgeted: hasBudget } = row;
      return { accountId: row.account_id, keyId: row.id, scopes, tier, history, textDays, hasBudget, via: 'key' };
    });
  }
}

interface KeyRow {
  hash: Buffer;
  id: string;
  account_id: string;
  scopes: Scope[];
  revoked: boolean;
  tier: Tier;
  history: boolean;
  text_days: number | null;
  budgeted: boolean;
}

function refused(): AppError {
  return new AppError('authentication_error', 'The API key is not valid: check for a typo, or whether it was revoked.');
}
