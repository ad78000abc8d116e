import * as openid from 'openid-client';
import { isLoopback } from '../callers/loopback.ts';
import { type ClientAuthentication, clientAuthentication } from './client-authentication.ts';
import { providerFetch } from './provider-fetch.ts';
import { ALGORITHMS, OpenIdKeys } from './provider-keys.ts';

const TIMEOUT_SECONDS = 5;

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Null: as the provider's metadata says. */
  readonly clientAuthentication: ClientAuthentication | null;
  readonly audience: string;
  /** Whether e-mail addresses count as verified where the provider says nothing of it. */
  readonly trustEmail: boolean;
}

/** What is known of the provider once it was discovered. */
export interface Discovered {
  readonly client: openid.Configuration;
  readonly metadata: Readonly<openid.ServerMetadata>;
  readonly keys: OpenIdKeys;
}

/** Every address that is called, or that browsers are sent to. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
] as const;

/** Reads the provider's metadata and holds them against the settings. Throws an error that the operator understands. */
export async function discover(settings: OpenIdSettings, before: Discovered | null): Promise<Discovered> {
  const { issuer, clientId, clientSecret: secret } = settings;
  const url = new URL(issuer);
  const execute = isLoopback(url) ? [openid.allowInsecureRequests] : [];
  const options = { execute, timeout: TIMEOUT_SECONDS, [openid.customFetch]: providerFetch };
  const metadata: openid.ServerMetadata = await openid
    .discovery(url, clientId ?? settings.audience, undefined, openid.None(), options)
    .then((found) => found.serverMetadata())
    .catch((error: unknown) => {
      throw isOtherIssuer(error) ? otherIssuer(error.cause.body.issuer, issuer) : error;
    });
  checkMetadata(metadata, url);
  const { jwks_uri: keysAt, token_endpoint_auth_methods_supported: supported } = metadata;
  if (!keysAt) throw new Error('the metadata tell no jwks_uri');
  const authentication = clientAuthentication({ secret, forced: settings.clientAuthentication }, supported);
  // Which algorithms are good is decided here, where the signature is verified: a provider may change its own any day.
  const read = { ...metadata, id_token_signing_alg_values_supported: [...ALGORITHMS] };
  const client = new openid.Configuration(read, clientId ?? settings.audience, undefined, authentication);
  client.timeout = TIMEOUT_SECONDS;
  client[openid.customFetch] = providerFetch;
  for (const extend of execute) extend(client);
  const keys = before?.keys.url === keysAt ? before.keys : new OpenIdKeys(keysAt, providerFetch);
  return { client, metadata, keys };
}

/** The library lets some issuers of Microsoft's pass that stand for anybody's organisation. */
function checkMetadata(metadata: openid.ServerMetadata, issuer: URL): void {
  if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== issuer.href) {
    throw otherIssuer(metadata.issuer, issuer.href);
  }
  for (const name of ENDPOINTS) {
    const address = metadata[name];
    if (address !== undefined && !isSafe(address, issuer)) {
      throw new Error(`the metadata's ${name} is no https address: ${address}`);
    }
  }
}

/** Plain http is for a provider on this very machine; anywhere else it could be anybody. */
function isSafe(address: string, issuer: URL): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(issuer));
}

function otherIssuer(found: unknown, expected: string): Error {
  return new Error(`the provider calls itself ${String(found)}, and IDP_ISSUER is ${expected}: they must be the same`);
}

/** The library's own finding, in its own shape. */
function isOtherIssuer(error: unknown): error is { cause: { body: { issuer: unknown } } } {
  const { code, cause } = error as { code?: unknown; cause?: { attribute?: unknown } };
  return code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && cause?.attribute === 'issuer';
}
