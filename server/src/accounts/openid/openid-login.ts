import * as openid from 'openid-client';
import type { ProviderLogin } from '../login/sessions.ts';
import type { AccountConnections, Newcomer } from './account-connections.ts';
import type { Discovered } from './discovery.ts';
import { LoginFailure, loginFailure } from './openid-failure.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { identityOf, type OutsideIdentities, type OutsideIdentity, type Unconnected } from './outside-identities.ts';

/** How long somebody may take at the provider. */
export const ERRAND_SECONDS = 600;

/** What the browser keeps while it is at the provider: it ties the answer to the browser that asked. */
interface Errand {
  readonly startedAt: number;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Makes an account for somebody whose e-mail address is known to be theirs. */
type Welcome = (email: string) => Promise<unknown>;

export interface OpenIdLoginDeps {
  readonly provider: OpenIdProvider;
  readonly identities: OutsideIdentities;
  readonly connections: AccountConnections;
}

/** Whoever came back from the provider: the owner of an account, or somebody who has to show that one is theirs. */
export type Arrival = { readonly accountId: string; readonly login: ProviderLogin } | { readonly newcomer: Newcomer };

/** The login at an outside OpenID provider: authorization code with PKCE. Whatever fails is a `LoginFailure`. */
export class OpenIdLogin {
  readonly connections: AccountConnections;
  readonly #provider: OpenIdProvider;
  readonly #identities: OutsideIdentities;

  constructor({ provider, identities, connections }: OpenIdLoginDeps) {
    this.#provider = provider;
    this.#identities = identities;
    this.connections = connections;
  }

  /** Where to send the browser, and what it must bring back. */
  async start(returnTo: URL): Promise<{ url: URL; errand: string }> {
    const { client } = await this.#discovered();
    const errand: Errand = {
      startedAt: Date.now(),
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

  /** Who comes back; `welcome` may make an account for somebody new. */
  async finish(current: URL, errandText: string | null, welcome: Welcome | null = null): Promise<Arrival> {
    const errand = readErrand(errandText);
    if (current.searchParams.get('state') !== errand.state) throw new LoginFailure('state');
    const provider = await this.#discovered();
    const { claims, accessToken } = await this.#exchange(provider, current, errand).catch((error: unknown) => {
      throw loginFailure(error);
    });
    const known = identityOf(claims, this.#provider.settings);
    if (!known) throw new LoginFailure('unconfirmed');
    const account = await this.#identities.bySubject(known);
    if (account) return { accountId: account.accountId, login: known };
    return this.#firstLogin(await this.#withEmail(known, provider, accessToken), welcome);
  }

  /**
   * Where the browser goes to end the login at the provider, too; null where there is no such place, or the provider is
   * away. It names the client and the person and carries no ID token, which would be good for calls of the API.
   */
  async logoutUrl({ issuer, logoutHint }: ProviderLogin, home: URL): Promise<URL | null> {
    const provider = await this.#provider.discovered().catch(() => null);
    if (!provider?.metadata.end_session_endpoint || provider.metadata.issuer !== issuer) return null;
    return openid.buildEndSessionUrl(provider.client, {
      post_logout_redirect_uri: new URL('/', home).href,
      ...(logoutHint !== null && { logout_hint: logoutHint }),
    });
  }

  async #discovered(): Promise<Discovered> {
    return this.#provider.discovered().catch((error: unknown) => {
      throw loginFailure(error);
    });
  }

  async #exchange({ client, metadata, keys }: Discovered, current: URL, { state, nonce, verifier }: Errand) {
    const answer = await openid.authorizationCodeGrant(client, current, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const expected = { issuer: metadata.issuer, audience: client.clientMetadata().client_id };
    const claims = await keys.verifyIdToken(answer.id_token ?? '', expected);
    return { claims, accessToken: answer.access_token };
  }

  /** Many providers tell the e-mail address by UserInfo only (OpenID Connect Core 1.0, section 5.4). */
  async #withEmail(known: OutsideIdentity, { client, metadata }: Discovered, accessToken: string) {
    if (known.email !== null && known.emailVerified) return known;
    if (metadata.userinfo_endpoint === undefined) return known;
    const claims = await openid.fetchUserInfo(client, accessToken, known.subject).catch((error: unknown) => {
      throw loginFailure(error);
    });
    const told = identityOf({ ...claims, iss: known.issuer }, this.#provider.settings) ?? known;
    return { ...told, logoutHint: known.logoutHint ?? told.logoutHint };
  }

  /** Somebody who was never here, and whose e-mail address the provider has verified. */
  async #firstLogin(identity: OutsideIdentity, welcome: Welcome | null): Promise<Arrival> {
    const { email } = identity;
    if (email === null) throw new LoginFailure('noEmail');
    if (!identity.emailVerified) throw new LoginFailure('unverifiedEmail');
    const found = await this.#identities.byEmail(identity);
    if (found && 'owner' in found) return { accountId: found.owner.accountId, login: identity };
    if (found) return arrivalAt(found.unconnected, { ...identity, email });
    if (welcome === null) throw new LoginFailure('noAccount');
    // The same person in another tab may have been first.
    const refusal = await welcome(email).then(
      () => null,
      (error: unknown) => error,
    );
    const made = await this.#identities.accountOf(identity);
    if (!made) throw refusal ?? new LoginFailure('noAccount');
    return { accountId: made.accountId, login: identity };
  }
}

/** Who has a password can show that it is theirs. */
function arrivalAt({ accountId, why, hasPassword }: Unconnected, identity: Omit<Newcomer, 'accountId'>): Arrival {
  if (why === 'connected') throw new LoginFailure('connected');
  if (!hasPassword) throw new LoginFailure('unverifiedAccount');
  return { newcomer: { ...identity, accountId } };
}

function readErrand(text: string | null): Errand {
  const [startedAt = '', state = '', nonce = '', verifier = ''] = text?.split('.') ?? [];
  const ageMs = Date.now() - Number(startedAt);
  if (verifier === '' || !(ageMs >= 0 && ageMs <= ERRAND_SECONDS * 1000)) throw new LoginFailure('late');
  return { startedAt: Number(startedAt), state, nonce, verifier };
}
