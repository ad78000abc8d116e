import { z } from 'zod';

/** The settings of the environment by which people log in at an OpenID provider. */
export const openIdSettings = {
  IDP_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('OpenID provider to log in with, instead of e-mail and password.'),
  IDP_CLIENT_ID: z.string().optional().describe('Client id of the dashboard at the OpenID provider.'),
  IDP_CLIENT_SECRET: z.string().optional().describe('Client secret there; none for a public client.'),
  IDP_CLIENT_AUTH: z
    .enum(['client_secret_basic', 'client_secret_post'])
    .optional()
    .describe('How the client secret is sent; by default as the metadata of the provider say.'),
  IDP_TRUST_EMAIL: z
    .stringbool()
    .default(false)
    .describe(
      'Whether an e-mail address of which the provider does not say that it is verified counts as verified: only where people cannot choose it themselves.',
    ),
  IDP_AUDIENCE: z.string().optional().describe('Audience of its access tokens; the client id when absent.'),
};

export interface OpenIdConfig {
  readonly issuer: string;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post' | null;
  readonly audience: string;
  readonly trustEmail: boolean;
}

/** Null with the embedded identity provider. */
export function openIdConfig(settings: z.infer<z.ZodObject<typeof openIdSettings>>): OpenIdConfig | null {
  const audience = settings.IDP_AUDIENCE ?? settings.IDP_CLIENT_ID;
  if (!settings.IDP_ISSUER || audience === undefined) return null;
  return {
    issuer: settings.IDP_ISSUER,
    clientId: settings.IDP_CLIENT_ID ?? null,
    clientSecret: settings.IDP_CLIENT_SECRET ?? null,
    clientAuthentication: settings.IDP_CLIENT_AUTH ?? null,
    audience,
    trustEmail: settings.IDP_TRUST_EMAIL,
  };
}
