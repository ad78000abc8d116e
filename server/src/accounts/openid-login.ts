import * as openid from 'openid-client';
import { AppError } from '../errors.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { identityOf, type OutsideIdentities, type OutsideIdentity } from './outside-identities.ts';

/** What the browser keeps while it is at the provider: it ties the answer to the browser that asked. */
interface Errand {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Makes an account for somebody whose e-mail address is known to be theirs. */
type Welcome = (email: string) => Promise<unknown>;

/** The login at an outside OpenID provider: authorization code with PKCE. */
export class OpenIdLogin {
  readonly #provider: OpenIdProvider;
  readonly #identities: OutsideIdentities;

  constructor(provider: OpenIdProvider, identities: OutsideIdentities) {
    this.#provider = provider;
    this.#identities = identities;
  }

  /** Where to send the browser, and what it must bring back. */
  async start(returnTo: URL): Promise<{ url: URL; errand: string }> {
    const { client } = await this.#provider.discovered();
    const errand: Errand = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(client, {
      redirect_uri: returnTo.href,
      response_type: 'code',
      scope: 'openid email',
      state: errand.state,
      nonce: errand.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(errand.verifier),
      code_challenge_method: 'S256',
    });
    return { url, errand: Object.values(errand).join('.') };
  }

  /**
   * The account of whoever comes back; `welcome` may make one for somebody new. Throws 401 when the provider does not
   * vouch for them, or nobody has the account.
   */
  async finish(current: URL, errandText: string, welcome: Welcome | null = null): Promise<string> {
    const [state = '', nonce = '', verifier = ''] = errandText.split('.');
    const { client } = await this.#provider.discovered();
    const claims = await openid
      .authorizationCodeGrant(client, current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      .then((answer) => answer.claims())
      .catch((cause: unknown) => {
        throw new AppError('authentication_error', 'The identity provider did not confirm the login.', {}, { cause });
      });
    const identity = claims && identityOf(claims);
    const account =
      identity && ((await this.#identities.accountOf(identity)) ?? (await this.#makeFor(identity, welcome)));
    if (!account) throw new AppError('authentication_error', 'There is no account here for this login.');
    return account.accountId;
  }

  /** Somebody new, whose e-mail address the provider has verified. */
  async #makeFor(identity: OutsideIdentity, welcome: Welcome | null) {
    if (welcome === null || identity.email === null || !identity.emailVerified) return null;
    await welcome(identity.email);
    return this.#identities.accountOf(identity);
  }
}
