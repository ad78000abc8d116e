import type { Log } from '../../platform/logging/log.ts';
import type { Caller } from '../callers/caller.ts';
import { loginCaller } from '../login/session-caller.ts';
import { isBadToken } from '../login/session-tokens.ts';
import { issuerOf } from '../login/token-callers.ts';
import { describeCause } from './openid-failure.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { identityOf, type OutsideIdentities } from './outside-identities.ts';

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
    const identity = claims && identityOf(claims, this.#provider.settings);
    const account = identity && (await this.#identities.accountOf(identity));
    return account ? loginCaller(account, 'token') : null;
  }

  async #verify(token: string): Promise<Record<string, unknown> | null> {
    const { audience, issuer } = this.#provider.settings;
    // A token of somebody else is no reason to wait for the provider.
    if (!isIssuer(issuerOf(token), issuer)) return null;
    try {
      const { metadata, keys } = await this.#provider.discovered();
      return await keys.verifyBearer(token, { issuer: metadata.issuer, audience });
    } catch (error) {
      // A provider that does not answer vouches for nobody.
      if (!isBadToken(error)) this.#log.warn({ cause: describeCause(error) }, 'the identity provider did not answer');
      return null;
    }
  }
}

/** The same address; the token's own spelling is compared with the provider's later. */
function isIssuer(claimed: string | null, issuer: string): boolean {
  return claimed !== null && URL.canParse(claimed) && new URL(claimed).href === new URL(issuer).href;
}
