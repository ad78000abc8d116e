import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnonymousLimiter } from '../../accounts/callers/anonymous-limiter.ts';
import type { Authenticator } from '../../accounts/callers/authenticate.ts';
import type { Browser } from '../../accounts/callers/browser.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { type RateLimiter, rateLimited, tellRate } from '../../accounts/callers/rate-limit.ts';
import { sessionCaller } from '../../accounts/login/session-caller.ts';
import type { Sessions } from '../../accounts/login/sessions.ts';

export interface IdentifyDeps {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly anonymous: AnonymousLimiter;
  readonly sessions: Sessions;
}

/** Paths of the dashboard that programs may call with a key. */
const FOR_PROGRAMS = ['/api/usage', '/api/export'];
/** The path that takes a key in the query as well, which is deprecated. */
const WITH_KEY_IN_QUERY = '/api/usage';

/**
 * Identifies the caller of the dashboard: the owner of the session cookie; null without one. The usage history and the export
 * also take a key in the header; the history also in the query, which is deprecated. A key is counted as on the API, with its
 * headers of the rate limit; logins are counted by account, without these headers. Throws 401 for a bad key, and 429.
 */
export async function identify(
  { authenticator, limiter, anonymous, sessions }: IdentifyDeps,
  browser: Browser,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Caller | null> {
  const credentials = credentialsOf(req, res);
  if (credentials !== undefined) {
    const caller = await authenticator.authenticate(credentials, browser.address);
    if (caller) tellRate(res, await limiter.hit(caller));
    return caller;
  }
  const session = browser.secret === null ? null : await sessions.bySecret(browser.secret);
  if (!session) {
    anonymous.hit(browser.address);
    return null;
  }
  const caller = sessionCaller(session, 'session');
  const state = await limiter.hit(caller);
  if (!state.allowed) throw rateLimited(state);
  return caller;
}

/**
 * The owner of a login as it is now; null once it has ended. Nothing is counted. A caller with a key is answered as it is: calls
 * with a key have no body here, so no time passes.
 */
export async function renewedLogin(
  sessions: Sessions,
  { caller, browser }: Pick<Context, 'caller' | 'browser'>,
): Promise<Caller | null> {
  if (caller?.via !== 'session' || !browser?.secret) return caller;
  const session = await sessions.bySecret(browser.secret);
  return session && sessionCaller(session, 'session');
}

function credentialsOf(req: IncomingMessage, res: ServerResponse): string | undefined {
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (!FOR_PROGRAMS.includes(path)) return undefined;
  if (path !== WITH_KEY_IN_QUERY) return req.headers.authorization;
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark));
  const key = query.get('api_key');
  query.delete('api_key');
  if (key !== null) req.url = query.size === 0 ? path : `${path}?${query}`; // nothing behind here, no log either, sees the key
  if (req.headers.authorization !== undefined) return req.headers.authorization;
  if (key === null) return undefined;
  res.setHeader('Deprecation', 'true');
  return `Bearer ${key}`;
}
