import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import { type Listening, listen } from './listen.ts';

/** A secret that only arrives where it is encoded as OAuth wants it. */
export const STANDARD_CLIENT = { id: 'dash:board', secret: 'p%3A+s:e c/r&t=' };

/** What the provider knows of somebody beside the subject. */
export interface Known {
  readonly email?: string;
  readonly email_verified?: unknown;
}

export interface Setup {
  /** Where people come back to; `<dashboard>/api/login/callback`. */
  readonly dashboardUrl: string;
  readonly client?: Partial<ClientMetadata>;
  readonly more?: Configuration;
}

/** `oidc-provider`, with the login pages that it has itself. */
export class StandardProvider implements AsyncDisposable {
  /** By subject: what people type as their login. */
  readonly people = new Map<string, Known>();
  /** Paths that were asked for, oldest first. */
  readonly asked: string[] = [];
  #server: Listening | undefined;
  #answer: ReturnType<Provider['callback']> | null = null;

  static async start(): Promise<StandardProvider> {
    muteAdvice();
    const provider = new StandardProvider();
    provider.#server = await listen((request, response) => {
      provider.asked.push(new URL(request.url ?? '/', provider.issuer).pathname);
      void provider.#answer?.(request, response);
    });
    return provider;
  }

  get issuer(): string {
    if (!this.#server) throw new Error('the provider is not listening');
    return this.#server.url;
  }

  /** Everything that is not said here is the provider's default. What it has issued before stays valid. */
  configure({ dashboardUrl, client, more }: Setup): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: STANDARD_CLIENT.id,
          client_secret: STANDARD_CLIENT.secret,
          redirect_uris: [`${dashboardUrl}/api/login/callback`],
          post_logout_redirect_uris: [`${dashboardUrl}/`],
          ...client,
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) }),
      cookies: { keys: ['not a secret'] },
      ...more,
    });
    this.#answer = provider.callback();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

/** A key pair that a provider signs with, as it is configured. */
export async function signingKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `${alg}-${Math.random()}` };
}

/** It warns of everything that is fit for a test and not for production. */
function muteAdvice(): void {
  for (const level of ['info', 'warn'] as const) {
    const say = console[level];
    console[level] = (...words: unknown[]) => {
      if (!String(words[0]).startsWith('oidc-provider ')) say(...words);
    };
  }
}
