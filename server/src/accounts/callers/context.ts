import { AppError } from '../../platform/errors.ts';
import type { Browser } from './browser.ts';
import type { Caller } from './caller.ts';

/** What every resolver gets. */
export interface Context {
  /** Who asks; null without credentials. */
  readonly caller: Caller | null;
  /** On the dashboard's address: the browser that asks. */
  readonly browser?: Browser;
  /** Over HTTP: what the answer has in `X-Request-Id`, unless a request comes of the call. */
  readonly callId?: string;
  /** Told the id of a request as soon as it is accepted, or known from before. */
  readonly onRequest?: (requestId: string) => void;
  /** Told where the call as a whole is answered with an error, and no request came of it; `engine` is what it asked for. */
  readonly onRefused?: (error: AppError, engine: string | null) => void;
  /** Aborts when the caller leaves before the answer is out. */
  readonly hangUp?: () => AbortSignal;
  /** Documents of the call's body that are decoded already. */
  readonly sentDocuments?: { take(word: string): Buffer | null };
}

/** What a subscription reads. Throws `invalid_request` where there is none: off a socket. */
export function requireFeed<Feed>(feed: Feed | undefined): Feed {
  if (!feed) throw new AppError('invalid_request', 'Subscriptions need a WebSocket (graphql-transport-ws).');
  return feed;
}

/** Of what reads a request for its webhook: the account itself, and nothing but requests. */
export function ownerContext(accountId: string): Context {
  const caller = { accountId, keyId: '', scopes: ['ocr:read'], tier: 'free', history: true, via: 'session' } as const;
  return { caller };
}
