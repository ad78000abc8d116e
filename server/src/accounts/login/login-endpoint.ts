import { AppError } from '../../platform/errors.ts';
import type { Browser } from '../callers/browser.ts';
import type { Login } from './login.type.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { ProviderLogin, Sessions } from './sessions.ts';

/** Lets browsers in and out, however they proved who they are. */
export class LoginEndpoint {
  readonly #sessions: Sessions;
  readonly #tokens: SessionTokens;

  constructor(sessions: Sessions, tokens: SessionTokens) {
    this.#sessions = sessions;
    this.#tokens = tokens;
  }

  /** Begins a session; one that the browser had before ends, so that no older cookie outlives a login. */
  async enter(accountId: string, browser: Browser, login: ProviderLogin | null = null): Promise<Login> {
    await this.#end(browser);
    const { secret, sessionToken, expiresAt } = await this.open(accountId, browser.userAgent, login);
    browser.keep(secret, expiresAt);
    return { accountId, sessionToken, expiresAt };
  }

  /** A new session with its first token; `secret` is the cookie's value, handed out this once. */
  async open(accountId: string, userAgent: string | null = null, login: ProviderLogin | null = null) {
    const session = await this.#sessions.create(accountId, userAgent, login);
    const sessionToken = await this.#tokens.issue({ ...session, accountId });
    return { secret: session.secret, sessionToken, expiresAt: session.expiresAt };
  }

  /** Ends the browser's session; without one there is nothing to do. Answers where it had begun, if at a provider. */
  async leave(browser: Browser): Promise<ProviderLogin | null> {
    const login = await this.#end(browser);
    browser.forget();
    return login;
  }

  /** A new token for the session of a cookie; the first one lasts an hour, the session longer. */
  async renewToken(browser: Browser): Promise<string> {
    const session = browser.secret === null ? null : await this.#sessions.bySecret(browser.secret);
    if (!session) throw new AppError('authentication_error', 'Log in to the dashboard first.');
    return this.#tokens.issue(session);
  }

  async #end({ secret }: Browser): Promise<ProviderLogin | null> {
    const session = secret === null ? null : await this.#sessions.bySecret(secret);
    return session && this.#sessions.revoke(session.accountId, session.id);
  }
}

/** The browser of a call that needs one: calls of the API's address have none. */
export function requireBrowser(browser: Browser | undefined): Browser {
  if (!browser) throw new AppError('invalid_request', 'This is possible at the address of the dashboard only.');
  return browser;
}
