import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Listening, listen } from './listen.ts';

export const CLIENT = { id: 'dashboard-client', secret: 'client-secret' };
/** As OAuth 2.0 encodes both in Basic (RFC 6749, 2.3.1 and appendix B): browsers' own encoder leaves the hyphen. */
const ENCODED = { id: 'dashboard%2Dclient', secret: 'client%2Dsecret' };

type Authentication = 'client_secret_basic' | 'client_secret_post';

/** What the provider says of a person. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

interface Pair {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** An OpenID provider under a test's control: whoever is sent there comes back as `person`. */
export class OpenIdProvider implements AsyncDisposable {
  person: Person = { sub: 'nobody' };
  /** What the next ID tokens say instead. */
  claims: JWTPayload = {};
  /** What UserInfo says instead of what is known of the person. */
  userInfo: Person | null = null;
  /** Paths that get no answer, and paths that fail. */
  readonly silent = new Set<string>();
  readonly failing = new Set<string>();
  /** Requests for the key set so far. */
  keyReads = 0;
  #server: Listening | undefined;
  readonly #pair: Pair;
  readonly #authentication: Authentication | null;
  readonly #codes = new Map<string, URLSearchParams>();

  private constructor(pair: Pair, authentication: Authentication | null) {
    this.#pair = pair;
    this.#authentication = authentication;
  }

  /** `authentication`: the one that it takes and tells; without it Basic, which it does not tell. */
  static async start(authentication: Authentication | null = null): Promise<OpenIdProvider> {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const provider = new OpenIdProvider({ kid: 'provider-1', ...pair }, authentication);
    provider.#server = await listen((request, response) => void provider.#answer(request, response));
    return provider;
  }

  get issuer(): string {
    if (!this.#server) throw new Error('the provider is not listening');
    return this.#server.url;
  }

  /** A token of the provider; `claims` may say otherwise, an undefined one is left out. */
  async token(claims: JWTPayload, audience: string = CLIENT.id): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.issuer, aud: audience, iat: now, exp: now + 600, ...claims };
    const { kid, privateKey } = this.#pair;
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    if (this.silent.has(url.pathname)) return;
    if (this.failing.has(url.pathname)) return json(response, 500, {});
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, 200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          userinfo_endpoint: `${this.issuer}/userinfo`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
          code_challenge_methods_supported: ['S256'],
          ...(this.#authentication && { token_endpoint_auth_methods_supported: [this.#authentication] }),
        });
      case '/keys': {
        this.keyReads++;
        const key = { ...(await exportJWK(this.#pair.publicKey)), kid: this.#pair.kid, alg: 'ES256', use: 'sig' };
        return json(response, 200, { keys: [key] });
      }
      case '/authorize':
        return this.#authorise(url.searchParams, response);
      case '/token':
        return this.#exchange(await form(request), request.headers.authorization, response);
      case '/userinfo':
        return json(response, 200, this.userInfo ?? this.person);
      default:
        return json(response, 404, {});
    }
  }

  #authorise(asked: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    this.#codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  }

  async #exchange(given: URLSearchParams, header: string | undefined, response: ServerResponse): Promise<void> {
    const asked = this.#codes.get(given.get('code') ?? '');
    this.#codes.delete(given.get('code') ?? '');
    if (!this.#isClient(given, header)) return json(response, 401, { error: 'invalid_client' });
    const challenge = await challengeOf(given.get('code_verifier') ?? '');
    if (!asked || asked.get('code_challenge') !== challenge) {
      return json(response, 400, { error: 'invalid_grant' });
    }
    const idToken = await this.token({ ...this.person, nonce: asked.get('nonce') ?? '', ...this.claims });
    json(response, 200, { access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token: idToken });
  }

  #isClient(given: URLSearchParams, header: string | undefined): boolean {
    if (this.#authentication === 'client_secret_post') {
      return given.get('client_id') === CLIENT.id && given.get('client_secret') === CLIENT.secret;
    }
    return header === `Basic ${Buffer.from(`${ENCODED.id}:${ENCODED.secret}`).toString('base64')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
  return Buffer.from(digest).toString('base64url');
}

async function form(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request streams Buffers
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
