import type { Pool } from '../database/pool.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import type { Log } from '../platform/logging/log.ts';
import type { TokenCallers } from './callers/authenticate.ts';
import { LoginEndpoint } from './login/login-endpoint.ts';
import { LoginLimiter } from './login/login-limiter.ts';
import { PasswordLogin } from './login/password-login.ts';
import { SessionTokens } from './login/session-tokens.ts';
import { Sessions } from './login/sessions.ts';
import { SigningKeys } from './login/signing-keys.ts';
import { tokenCallers } from './login/token-callers.ts';
import { AccountConnections } from './openid/account-connections.ts';
import type { OpenIdSettings } from './openid/discovery.ts';
import { OpenIdLogin } from './openid/openid-login.ts';
import { OpenIdProvider } from './openid/openid-provider.ts';
import { OpenIdTokens } from './openid/openid-tokens.ts';
import { OutsideIdentities } from './openid/outside-identities.ts';

/** Everything that knows people by something other than an API key. */
export interface Identity {
  readonly sessions: Sessions;
  readonly keys: SigningKeys;
  readonly loginEndpoint: LoginEndpoint;
  /** Our own tokens. */
  readonly own: SessionTokens;
  /** Ours and the outside provider's. */
  readonly tokens: TokenCallers;
  readonly passwords: PasswordLogin | null;
  readonly openId: OpenIdLogin | null;
  readonly identities: OutsideIdentities;
}

/** The embedded identity provider, or with settings the outside one. Sessions and their tokens are ours in both cases. */
export function openIdentity(
  pool: Pool,
  secrets: Secrets,
  { settings, log }: { settings: OpenIdSettings | null; log: Log },
): Identity {
  const keys = new SigningKeys(pool, secrets);
  const sessions = new Sessions(pool);
  const own = new SessionTokens(keys, sessions);
  const identities = new OutsideIdentities(pool);
  const shared = { keys, sessions, own, identities, loginEndpoint: new LoginEndpoint(sessions, own) };
  const passwords = new PasswordLogin(pool, new LoginLimiter(pool));
  if (!settings) {
    return { ...shared, passwords, openId: null, tokens: tokenCallers(own, null) };
  }
  const provider = new OpenIdProvider({ settings, log });
  const connections = new AccountConnections({ keys, identities, passwords });
  return {
    ...shared,
    passwords: null,
    openId: settings.clientId === null ? null : new OpenIdLogin({ provider, identities, connections }),
    tokens: tokenCallers(own, new OpenIdTokens(provider, identities, log)),
  };
}
