import { Gather } from '../database/gather.ts';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../errors.ts';
import type { Tier } from './account.ts';
import type { Caller } from './caller.ts';
import { hashKey, isKeyText } from './key-text.ts';
import type { Scope } from './scopes.ts';

/** How long an answer of the database is believed: a revocation is felt by every process within a second. */
const BELIEVED_MS = 500;
const LAST_USE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** Three parts with dots between them: what a JSON Web Token looks like, and an API key never does. */
const TOKEN_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const FIND_KEYS = {
  name: 'find-keys',
  text: `select k.hash, k.id, k.account_id, k.scopes, k.revoked_at is not null as revoked, a.tier, a.history
         from api_key k join account a on a.id = k.account_id where k.hash = any($1::bytea[])`,
};

const TOUCH_KEY = { name: 'touch-key', text: 'update api_key set last_used_at = now() where id = $1' };

export interface TokenCallers {
  caller(token: string): Promise<Caller | null>;
}

interface Remembered {
  caller: Caller | null;
  until: number;
  touchedAt: number;
}

/** Turns `Authorization: Bearer …` into the caller. */
export class Authenticator {
  readonly #pool: Pool;
  readonly #tokens: TokenCallers;
  readonly #remembered = new Map<string, Remembered>();
  readonly #lookups: Gather<Buffer, Caller | null>;

  /** `tokens` knows the callers of signed tokens; null for one that is not valid. */
  constructor(pool: Pool, tokens: TokenCallers) {
    this.#pool = pool;
    this.#tokens = tokens;
    this.#lookups = new Gather((hashes) => this.#find(hashes));
  }

  /** The caller, or null when no credentials were sent. Throws 401 for credentials that are not valid. */
  async authenticate(authorization: string | undefined): Promise<Caller | null> {
    if (authorization === undefined) return null;
    const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (text && TOKEN_SHAPE.test(text)) return this.#byToken(text);
    if (!text || !isKeyText(text)) throw refused();
    const now = Date.now();
    const known = this.#remembered.get(text);
    if (known && known.until > now) {
      if (!known.caller) throw refused();
      return known.caller;
    }
    const caller = await this.#lookups.add(hashKey(text));
    this.#remember(text, caller, now, known);
    if (!caller) throw refused();
    return caller;
  }

  async #byToken(token: string): Promise<Caller> {
    const caller = await this.#tokens.caller(token);
    if (!caller) throw new AppError('authentication_error', 'The token is not valid, or its session has ended.');
    return caller;
  }

  #remember(text: string, caller: Caller | null, now: number, before: Remembered | undefined): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const due = caller !== null && now - (before?.touchedAt ?? 0) > LAST_USE_EVERY_MS;
    this.#remembered.set(text, { caller, until: now + BELIEVED_MS, touchedAt: due ? now : (before?.touchedAt ?? 0) });
    if (due) void query(this.#pool, TOUCH_KEY, [caller.keyId]).catch(() => undefined); // a lost "last used" costs nothing
  }

  async #find(hashes: Buffer[]): Promise<(Caller | null)[]> {
    const rows = await query<KeyRow>(this.#pool, FIND_KEYS, [hashes]);
    const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
    return hashes.map((hash) => {
      const row = byHash.get(hash.toString('hex'));
      if (!row || row.revoked) return null;
      const { scopes, tier, history } = row;
      return { accountId: row.account_id, keyId: row.id, scopes, tier, history, via: 'key' };
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
}

function refused(): AppError {
  return new AppError('authentication_error', 'The API key is not valid: check for a typo, or whether it was revoked.');
}
