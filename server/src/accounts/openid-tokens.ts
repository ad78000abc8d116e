import { jwtVerify } from 'jose';
import type { Log } from '../log.ts';
import type { Caller } from './caller.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { identityOf, type OutsideIdentities } from './outside-identities.ts';
import { loginCaller } from './session-caller.ts';
import { isBadToken } from './session-tokens.ts';
import { ALGORITHM } from './signing-keys.ts';

const CLOCK_SKEW_SECONDS = 30;

/** Bearer tokens of an outside OpenID provider, checked against the keys it publishes. */
export class OpenIdTokens {
  readonly #provider: OpenIdProvider;
  readonly #identities: OutsideIdentities;
  readonly #log: Log;

  constructor(provider: OpenIdProvider, identities: OutsideIdentities, log: Log) {
    this.#provider = provider;
    this.#identities = identities;
    this.#log = log;
  }

  /** Who calls; null when the token is not valid, or the person has no account here. */
  async caller(token: string): Promise<Caller | null> {
    const claims = await this.#verify(token);
    const identity = claims && identityOf(claims);
    const account = identity && (await this.#identities.accountOf(identity));
    return account ? loginCaller(account, 'token') : null;
  }

  async #verify(token: string): Promise<Record<string, unknown> | null> {
    try {
      const { issuer, keys } = await this.#provider.discovered();
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [ALGORITHM],
        issuer,
        audience: this.#provider.settings.audience,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: CLOCK_SKEW_SECONDS,
      });
      return payload;
    } catch (error) {
      // A provider that does not answer vouches for nobody.
      if (!isBadToken(error)) this.#log.warn({ err: (error as Error).message }, 'the identity provider did not answer');
      return null;
    }
  }
}
