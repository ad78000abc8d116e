import { createRemoteJWKSet } from 'jose';
import * as openid from 'openid-client';
import { isLoopback } from './loopback.ts';
import { ALGORITHM } from './signing-keys.ts';

const TIMEOUT_SECONDS = 5;

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly audience: string;
}

/** What is known of the provider once it was discovered. */
interface Discovered {
  readonly client: openid.Configuration;
  readonly issuer: string;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
}

/** An outside OpenID provider: asked for its addresses when it is first needed, and again when that failed. */
export class OpenIdProvider {
  readonly settings: OpenIdSettings;
  #discovered: Promise<Discovered> | null = null;

  constructor(settings: OpenIdSettings) {
    this.settings = settings;
  }

  discovered(): Promise<Discovered> {
    this.#discovered ??= this.#discover().catch((error: unknown) => {
      this.#discovered = null;
      throw error;
    });
    return this.#discovered;
  }

  async #discover(): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    const authentication = clientSecret === null ? openid.None() : openid.ClientSecretPost(clientSecret);
    const execute = [openid.enableNonRepudiationChecks];
    // Plain http is for a provider on this very machine; anywhere else it could be anybody.
    if (isLoopback(url)) execute.push(openid.allowInsecureRequests);
    const metadata = { id_token_signed_response_alg: ALGORITHM };
    const client = await openid.discovery(url, clientId ?? this.settings.audience, metadata, authentication, {
      execute,
      timeout: TIMEOUT_SECONDS,
    });
    const { issuer: known, jwks_uri: keysAt } = client.serverMetadata();
    if (!keysAt) throw new Error(`${known} tells no jwks_uri`);
    return { client, issuer: known, keys: createRemoteJWKSet(new URL(keysAt)) };
  }
}
