import { createHash, randomBytes } from 'node:crypto';
import { type Pool, query } from '../../database/pool.ts';
import { newId } from '../../platform/ids.ts';
import type { Tier } from '../model/account.ts';
import type { Session } from './session.ts';

const LIFETIME_HOURS = 12;
const LONGEST_USER_AGENT = 300;

/** A session that is neither over nor revoked, with what its account may do. */
export interface LiveSession {
  readonly id: string;
  readonly accountId: string;
  readonly expiresAt: Date;
  readonly tier: Tier;
  readonly history: boolean;
  readonly textDays: number | null;
}

/** The login at an identity provider that a session began with. */
export interface ProviderLogin {
  readonly issuer: string;
  /** What tells the provider whose login it is. */
  readonly logoutHint: string | null;
}

const LIVE = `
  select s.id, s.account_id as "accountId", s.expires_at as "expiresAt", a.tier, a.history, a.text_days as "textDays",
    s.last_used_at < now() - interval '1 minute' as stale
  from session s join account a on a.id = s.account_id
  where s.revoked_at is null and s.expires_at > now()`;
const BY_SECRET = { name: 'session-by-secret', text: `${LIVE} and s.hash = $1`, repeatable: true };
const BY_ID = { name: 'session-by-id', text: `${LIVE} and s.id = $1`, repeatable: true };

const CREATE = {
  name: 'session-create',
  text: `with over as (delete from session where account_id = $2 and expires_at < now() - interval '30 days')
         insert into session (id, account_id, hash, user_agent, issuer, logout_hint, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + interval '${LIFETIME_HOURS} hours') returning expires_at`,
};

const TOUCH = { name: 'session-touch', text: 'update session set last_used_at = now() where id = $1' };
const REVOKE = {
  name: 'session-revoke',
  text: 'update session set revoked_at = now() where account_id = $1 and id = $2 and revoked_at is null returning issuer, logout_hint as "logoutHint"',
};
const REVOKE_ALL = {
  name: 'session-revoke-all',
  text: 'update session set revoked_at = now() where account_id = $1 and revoked_at is null',
};
const LIST = {
  name: 'session-list',
  text: `select id, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt",
           expires_at as "expiresAt" from session
         where account_id = $1 and revoked_at is null and expires_at > now() order by created_at desc`,
};

/** Logins, kept on the server. Each is looked up at every call, so that its end is felt everywhere at once. */
export class Sessions {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** A new session; the cookie's value is returned here and never again. */
  async create(
    accountId: string,
    userAgent: string | null,
    login: ProviderLogin | null = null,
  ): Promise<{ id: string; secret: string; expiresAt: Date }> {
    const secret = randomBytes(32).toString('base64url');
    const id = newId('ses_');
    const agent = userAgent?.slice(0, LONGEST_USER_AGENT) ?? null;
    const values = [id, accountId, hashOf(secret), agent, login?.issuer ?? null, login?.logoutHint ?? null];
    const [row] = await query<{ expires_at: Date }>(this.#pool, CREATE, values);
    if (!row) throw new Error('the session was not stored');
    return { id, secret, expiresAt: row.expires_at };
  }

  bySecret(secret: string): Promise<LiveSession | null> {
    return this.#find(BY_SECRET, hashOf(secret));
  }

  byId(id: string): Promise<LiveSession | null> {
    return this.#find(BY_ID, id);
  }

  /** Those that an account has open, newest first. */
  async list(accountId: string): Promise<Session[]> {
    return query<Session>(this.#pool, LIST, [accountId]);
  }

  /** Answers the login at a provider that it began with. */
  async revoke(accountId: string, id: string): Promise<ProviderLogin | null> {
    const [row] = await query<{ issuer: string | null; logoutHint: string | null }>(this.#pool, REVOKE, [
      accountId,
      id,
    ]);
    return row && row.issuer !== null ? { issuer: row.issuer, logoutHint: row.logoutHint } : null;
  }

  async revokeAll(accountId: string): Promise<void> {
    await query(this.#pool, REVOKE_ALL, [accountId]);
  }

  async #find(statement: typeof BY_ID, value: unknown): Promise<LiveSession | null> {
    const [row] = await query<LiveSession & { stale: boolean }>(this.#pool, statement, [value]);
    if (!row) return null;
    if (row.stale) void query(this.#pool, TOUCH, [row.id]).catch(() => undefined); // a lost "last used" costs nothing
    const { stale: _stale, ...session } = row;
    return session;
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
