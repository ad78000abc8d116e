import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Listening, listen } from './listen.ts';

export const CLIENT = { id: 'dashboard-client', secret: 'client-secret' };

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
  /** Requests for the key set so far. */
  keyReads = 0;
  #server: Listening | undefined;
  readonly #pair: Pair;
  readonly #codes = new Map<string, URLSearchParams>();

  private constructor(pair: Pair) {
    this.#pair = pair;
  }

  static async start(): Promise<OpenIdProvider> {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const provider = new OpenIdProvider({ kid: 'provider-1', ...pair });
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
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, 200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
          code_challenge_methods_supported: ['S256'],
        });
      case '/keys': {
        this.keyReads++;
        const key = { ...(await exportJWK(this.#pair.publicKey)), kid: this.#pair.kid, alg: 'ES256', use: 'sig' };
        return json(response, 200, { keys: [key] });
      }
      case '/authorize':
        return this.#authorise(url.searchParams, response);
      case '/token':
        return this.#exchange(await form(request), response);
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

  async #exchange(given: URLSearchParams, response: ServerResponse): Promise<void> {
    const asked = this.#codes.get(given.get('code') ?? '');
    this.#codes.delete(given.get('code') ?? '');
    const isClient = given.get('client_id') === CLIENT.id && given.get('client_secret') === CLIENT.secret;
    const challenge = await challengeOf(given.get('code_verifier') ?? '');
    if (!asked || !isClient || asked.get('code_challenge') !== challenge) {
      return json(response, 400, { error: 'invalid_grant' });
    }
    const idToken = await this.token({ ...this.person, nonce: asked.get('nonce') ?? '', ...this.claims });
    json(response, 200, { access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token: idToken });
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
