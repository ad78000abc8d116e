import * as openid from 'openid-client';

/** How a client proves itself at the token endpoint with its secret. */
export type ClientAuthentication = 'client_secret_basic' | 'client_secret_post';

/** Those that are known here, in the order in which they are tried against what a provider takes. */
const KNOWN: readonly ClientAuthentication[] = ['client_secret_basic', 'client_secret_post'];

const WAYS = {
  client_secret_basic: openid.ClientSecretBasic,
  client_secret_post: openid.ClientSecretPost,
} as const;

/** Whether a client has a secret, and whether the operator says how it is sent. */
export interface ClientSecret {
  readonly secret: string | null;
  readonly forced: ClientAuthentication | null;
}

/** What the provider takes by its metadata, where the operator does not say: Basic when the metadata does not tell. */
export function clientAuthentication(
  { secret, forced }: ClientSecret,
  supported: readonly string[] | undefined,
): openid.ClientAuth {
  if (secret === null) return openid.None();
  const way = forced ?? chooseAuthentication(supported);
  if (way === null) {
    throw new Error(
      `the provider takes none of ${KNOWN.join(', ')} at its token endpoint, but ${supported?.join(', ')}`,
    );
  }
  return WAYS[way](secret);
}

export function chooseAuthentication(supported: readonly string[] | undefined): ClientAuthentication | null {
  if (supported === undefined) return 'client_secret_basic'; // OpenID Connect Discovery 1.0, section 3
  return KNOWN.find((way) => supported.includes(way)) ?? null;
}
