import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import cors from 'cors';
import express, { type Express, type RequestHandler, type Response } from 'express';
import type { AnonymousLimiter } from '../../accounts/callers/anonymous-limiter.ts';
import type { Authenticator } from '../../accounts/callers/authenticate.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { ClientAddress } from '../../accounts/callers/client-address.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { type RateLimiter, tellRate } from '../../accounts/callers/rate-limit.ts';
import { asFailure } from '../../database/as-failure.ts';
import { API_VERSION } from '../../monitoring/changelog.ts';
import { addressBucket } from '../../platform/address-bucket.ts';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inCallSpan } from '../../platform/tracing/spans.ts';
import type { Facade } from '../../rest/facade.ts';
import { type FailureDeps, failure, graphqlFailure, tellRefused } from '../calls/failure.ts';
import type { FileTurns } from '../calls/file-turns.ts';
import { accountOf, callerOf, type Locals } from '../calls/locals.ts';
import { type WatchAnswer, watchAnswers } from '../calls/watch-answers.ts';
import { type ProbesDeps, probes } from './probes.ts';

/** Response headers that the script of another site may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-API-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-OCR-Pages',
  'X-OCR-Pages-Total',
  'X-OCR-Warnings',
  'X-OCR-Output',
  'X-OCR-Output-Pages',
  'Content-Disposition',
  'Idempotent-Replayed',
  'Location',
];

/** Paths that answer files: sending them takes turns (`fileTurns`). */
const PAGES = ['/openapi.json', '/docs', '/graphiql'];

const COMMON_HEADERS = [
  ['X-API-Version', API_VERSION],
  ['X-Content-Type-Options', 'nosniff'],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')],
] as const;

export interface ApiDeps extends ProbesDeps, FailureDeps {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly anonymous: AnonymousLimiter;
  readonly addressOf: ClientAddress;
  readonly facade: Facade<Caller | null>;
  /** Is told the account of every caller that has a valid key. */
  readonly parties: Pick<ActiveParties, 'note'>;
  /** Reads the body of a GraphQL call. The caller is known before it runs. */
  readonly graphqlBody: RequestHandler;
  readonly graphql: RequestHandler;
  /** The contract, the API reference and the explorer, each below its own path. */
  readonly pages: RequestHandler;
  /** Sends files in turns by party. They have a line apart from reads of accounts: addresses could fill it. */
  readonly fileTurns: FileTurns;
  /** Throws where no more documents can be taken in: the process stops, or is short of memory. */
  readonly requireReadiness: (req: IncomingMessage, caller: Caller) => Promise<void>;
  /** Ends connections whose answers are not read. `accountOf` is asked once the answer has been written. */
  readonly watchAnswer: WatchAnswer;
  /**
   * Is told of calls that GraphQL refuses, and of those refused before they reach it or the facade; the facade reports its own.
   */
  readonly onRefused: (error: AppError, res: ServerResponse, from: RefusedFrom) => void;
}

interface RefusedFrom {
  readonly caller: Caller | null;
  /** The engine that the call named; absent or null where that is unknown. */
  readonly engine?: string | null;
}

/**
 * The listener of the API's address. Every answer has its ids and versions; probes, metrics and preflights apart, every caller is
 * identified and counted first. Calls under /v1 go straight to the facade: it has its own routes, and Express's chain costs more
 * than a read.
 */
export function makeApi(deps: ApiDeps): RequestListener {
  const app = otherPaths(deps);
  const refuse = failure(deps);
  return (req, res) => {
    for (const [name, value] of COMMON_HEADERS) res.setHeader(name, value);
    res.setHeader('X-Request-Id', newId('req_'));
    if (req.method === 'OPTIONS') return void app(req, res);
    if (req.url?.startsWith('/v1/')) return inCallSpan(req, res, () => handle(req, res));
    if (req.url && /^\/graphql(?:[/?]|$)/.test(req.url)) return inCallSpan(req, res, () => void app(req, res));
    app(req, res);
  };

  function handle(req: IncomingMessage, res: ServerResponse): void {
    let known: Caller | null = null;
    deps.watchAnswer(req, res, () => known?.accountId ?? null);
    identify(deps, req, res, (caller) => {
      known = caller;
    })
      .then(async (caller) => {
        if (caller && req.method === 'POST') await deps.requireReadiness(req, caller);
        return deps.facade.handle(req, res, caller);
      })
      .catch((error: unknown) => {
        deps.onRefused(asFailure(error), res, { caller: known });
        refuse(error, req, res);
      });
  }
}

/** Everything but /v1: probes, metrics, GraphQL, documents, preflights, and unknown paths. */
function otherPaths(deps: ApiDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(watchAnswers(deps));
  app.use(cors({ origin: '*', exposedHeaders: EXPOSED_HEADERS, maxAge: 86_400 }));
  app.use(probes(deps));
  app.use(async (req, res, next) => {
    const keep = (caller: Caller | null): void => {
      const onRefused: Context['onRefused'] = (error, engine) => deps.onRefused(error, res, { caller, engine });
      Object.assign(res.locals, { caller, onRefused } satisfies Locals);
    };
    keep(null);
    keep(await identify(deps, req, res, keep));
    next();
  });
  app.use('/graphql', requireCallerBefore(), deps.graphqlBody, bearerIsNoForm, deps.graphql);
  app.use('/graphql', tellRefused, graphqlFailure(deps));
  const partyOf = (req: IncomingMessage, res: Response) => accountOf(res) ?? addressBucket(deps.addressOf(req));
  app.use(PAGES, deps.fileTurns.of(partyOf));
  app.use(deps.pages);
  app.use((req, res) => deps.facade.handle(req, res, callerOf(res)));
  const refuse = failure(deps);
  app.use(tellRefused);
  app.use(((error, req, res, _next) => refuse(error, req, res)) satisfies express.ErrorRequestHandler);
  return app;
}

/** Identifies and counts the caller; null without a key. Throws 401 and 429, before a body is read. */
async function identify(
  { authenticator, limiter, anonymous, addressOf, parties }: ApiDeps,
  req: IncomingMessage,
  res: ServerResponse,
  onKnown: (caller: Caller) => void = () => undefined,
): Promise<Caller | null> {
  const address = addressOf(req);
  const caller = await authenticator.authenticate(req.headers.authorization, address);
  if (!caller) {
    anonymous.hit(address);
    return null;
  }
  onKnown(caller);
  parties.note(caller.accountId);
  tellRate(res, await limiter.hit(caller));
  return caller;
}

function requireCallerBefore(): RequestHandler {
  return (_req, res, next) => {
    if (callerOf(res)) return next();
    throw new AppError('authentication_error', 'Send your API key in the header `Authorization: Bearer sk-ocr-…`.');
  };
}

/**
 * Tells Apollo, by a header, that its guard against forged GET requests is not needed: no page of another site can add a bearer
 * key to a call. The guard would only keep out clients that read by GET.
 */
const bearerIsNoForm: RequestHandler = (req, _res, next) => {
  req.headers['apollo-require-preflight'] = 'true';
  next();
};
