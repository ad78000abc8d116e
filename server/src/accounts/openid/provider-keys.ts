import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWKSCacheInput,
  type JWTPayload,
  type JWTVerifyOptions,
  jwksCache,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose';
import { type ProviderFetch, patientFetch } from './provider-fetch.ts';

/** Signatures by a private key. Those by a shared secret (HS256) and none at all (`none`) prove nothing here. */
export const ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const TIMEOUT_MS = 5000;
/** Keys are read again in the background after this long. */
const RENEW_AFTER_MS = 10 * 60_000;
/** Tokens live for about an hour: so long the keys that are known verify them while the provider is away. */
const USABLE_MS = 60 * 60_000;
/** After a token of an unknown key, which anybody can send, none makes us ask again for this long. */
const COOLDOWN_MS = 30_000;
const RETRY_AFTER_MS = 5000;
const CLOCK_SKEW_SECONDS = 30;

export interface ExpectedToken {
  readonly issuer: string;
  readonly audience: string;
}

/** The keys that a provider publishes, and what they have signed. */
export class OpenIdKeys {
  readonly url: string;
  readonly #keys: RemoteJWKSet;
  readonly #cache: JWKSCacheInput = {};

  constructor(url: string, send: ProviderFetch) {
    this.url = url;
    this.#keys = createRemoteJWKSet(new URL(url), {
      timeoutDuration: TIMEOUT_MS,
      cacheMaxAge: USABLE_MS,
      cooldownDuration: COOLDOWN_MS,
      [jwksCache]: this.#cache,
      [customFetch]: patientFetch(send, RETRY_AFTER_MS),
    });
  }

  /** The claims of a bearer token; throws when it is not valid, or the keys cannot be had. */
  async verifyBearer(token: string, expected: ExpectedToken): Promise<JWTPayload> {
    return this.#verify(token, expected);
  }

  /**
   * The claims of an ID token that the provider has just handed out itself: a key that is not known yet is a new one, and
   * is asked for at once.
   */
  async verifyIdToken(token: string, expected: ExpectedToken): Promise<JWTPayload> {
    try {
      return await this.#verify(token, expected);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#keys.reload();
      return this.#verify(token, expected);
    }
  }

  async #verify(token: string, { issuer, audience }: ExpectedToken): Promise<JWTPayload> {
    const { uat } = this.#cache;
    if (uat !== undefined && Date.now() - uat > RENEW_AFTER_MS) void this.#keys.reload().catch(noMatter);
    const options: JWTVerifyOptions = {
      algorithms: [...ALGORITHMS],
      issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_SKEW_SECONDS,
    };
    const { payload } = await jwtVerify(token, this.#keys, options);
    return payload;
  }
}

/** The keys that are known serve on. */
function noMatter(): void {}
