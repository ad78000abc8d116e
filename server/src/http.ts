import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import type { Authenticator } from './accounts/authenticate.ts';
import type { Caller } from './accounts/caller.ts';
import { type RateLimiter, tellRate } from './accounts/rate-limit.ts';
import { AppError, asAppError } from './errors.ts';
import { newId } from './ids.ts';
import type { Log } from './log.ts';
import { API_VERSION } from './monitoring/changelog.ts';
import { type Facade, send } from './rest/facade.ts';

/** What a browser's script may read of an answer. */
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
  'Idempotent-Replayed',
  'Location',
];

const COMMON_HEADERS = [
  ['X-API-Version', API_VERSION],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')],
] as const;

export interface HttpDeps {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly facade: Facade;
  readonly graphql: RequestHandler;
  /** Documents and explorers, below their own paths. */
  readonly pages: RequestHandler;
  readonly metrics: () => Promise<string>;
  readonly isReady: () => Promise<boolean>;
  /** Throws when no document can be taken in now. */
  readonly requireReadiness: () => void;
  readonly log: Log;
}

type Locals = { caller: Caller | null };

/**
 * The API's origin: every answer has its ids and versions, every caller is known and counted before anything else.
 * Calls under /v1 go straight to the facade: it has its own routes, and Express's chain costs more than a read.
 */
export function makeApi(deps: HttpDeps): RequestListener {
  const app = makePages(deps);
  const refuse = failure(deps.log);
  return (req, res) => {
    for (const [name, value] of COMMON_HEADERS) res.setHeader(name, value);
    res.setHeader('X-Request-Id', newId('req_'));
    if (!req.url?.startsWith('/v1/') || req.method === 'OPTIONS') return void app(req, res);
    if (req.headers.authorization === undefined) return void deps.facade.handle(req, res, null);
    identify(deps, req, res)
      .then((caller) => {
        if (req.method === 'POST') deps.requireReadiness();
        return deps.facade.handle(req, res, caller);
      })
      .catch((error: unknown) => refuse(error, req, res));
  };
}

/** Everything but /v1: probes, metrics, GraphQL, documents, preflights, and what nobody knows. */
function makePages(deps: HttpDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(cors({ origin: '*', exposedHeaders: EXPOSED_HEADERS, maxAge: 86_400 }));
  app.get('/livez', (_req, res) => void res.json({ ok: true }));
  app.get('/readyz', async (_req, res) => {
    const ok = await deps.isReady();
    res.status(ok ? 200 : 503).json({ ok });
  });
  app.get('/metrics', async (_req, res) => void res.type('text/plain; version=0.0.4').send(await deps.metrics()));
  app.use(async (req, res, next) => {
    (res.locals as Locals).caller = await identify(deps, req, res);
    next();
  });
  app.use('/graphql', requireCallerBefore(), express.json({ limit: '11mb' }), deps.graphql);
  app.use(deps.pages);
  app.use((req, res) => deps.facade.handle(req, res, (res.locals as Locals).caller));
  const refuse = failure(deps.log);
  app.use(((error, req, res, _next) => refuse(error, req, res)) satisfies express.ErrorRequestHandler);
  return app;
}

/** Who calls, and whether they may call now: 401 and 429 come before a body is read. */
async function identify(
  { authenticator, limiter }: HttpDeps,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Caller | null> {
  const caller = await authenticator.authenticate(req.headers.authorization);
  if (!caller) return null;
  tellRate(res, await limiter.hit(caller));
  return caller;
}

function requireCallerBefore(): RequestHandler {
  return (_req, res, next) => {
    if ((res.locals as Locals).caller) return next();
    throw new AppError('authentication_error', 'Send your API key in the header `Authorization: Bearer sk-ocr-…`.');
  };
}

/** Whatever was thrown on the way, as the envelope. */
export function failure(log: Log): (error: unknown, req: IncomingMessage, res: ServerResponse) => void {
  return (error, req, res) => {
    const known = isHttpError(error) ? fromHttpError(error) : asAppError(error);
    if (known.status >= 500) log.error({ err: known.cause ?? known }, 'a call failed');
    if (res.headersSent) return void res.end();
    const { retryAfterSeconds, headers } = known.details;
    const retry: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    send(res, { status: known.status, headers: { ...headers, ...retry }, body: known.envelope() });
    req.resume();
  };
}

function isHttpError(error: unknown): error is { status: number; message: string } {
  const status = (error as { status?: unknown } | null)?.status;
  return !(error instanceof AppError) && typeof status === 'number' && status >= 400 && status < 500;
}

function fromHttpError(error: { status: number; message: string }): AppError {
  if (error.status === 413) return new AppError('payload_too_large', 'The body is too large.');
  return new AppError('invalid_request', `The request could not be read: ${error.message}.`);
}
