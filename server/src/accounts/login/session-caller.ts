import type { Caller } from '../callers/caller.ts';
import { DEFAULT_SCOPES } from '../model/scopes.ts';
import type { LiveSession } from './sessions.ts';

/**
 * Who calls by a login. All logins of an account are one key to the rate limit: a new login is no new minute.
 */
export function sessionCaller(session: LiveSession, via: 'session' | 'token'): Caller {
  const { id, ...rest } = session;
  return { ...loginCaller(rest, via), sessionId: id };
}

/** Who calls as an account that an identity provider vouches for. */
export function loginCaller(
  account: Pick<LiveSession, 'accountId' | 'tier' | 'history'> & Partial<Pick<LiveSession, 'textDays'>>,
  via: 'session' | 'token',
): Caller {
  const { accountId, tier, history, textDays = null } = account;
  return { accountId, keyId: `login:${accountId}`, scopes: DEFAULT_SCOPES, tier, history, textDays, via };
}
