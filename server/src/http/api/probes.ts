import type { RequestListener } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import { API_VERSION } from '../../monitoring/changelog.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { send } from '../../rest/send.ts';
import { onlyRead } from '../calls/only-read.ts';

export interface ProbesDeps {
  /** Serves the figures; null where they have a port of their own. */
  readonly metrics: RequestHandler | null;
  readonly isReady: () => Promise<boolean>;
}

/**
 * Routes for supervisors: whether the process lives, whether it takes work, and, unless they have a port of their own, the
 * figures.
 */
export function probes({ metrics, isReady }: ProbesDeps): RequestHandler {
  const router = Router();
  router.get('/livez', (_req, res) => void res.json({ ok: true }));
  router.get('/readyz', async (_req, res) => {
    const ok = await isReady();
    res.status(ok ? 200 : 503).json({ ok });
  });
  if (metrics) router.get('/metrics', forNoPage, metrics);
  router.all(metrics ? ['/livez', '/readyz', '/metrics'] : ['/livez', '/readyz'], onlyRead);
  return router;
}

/**
 * Keeps pages of other origins from reading the figures: they are the operator's, whose browser may reach this address where
 * others do not.
 */
const forNoPage: RequestHandler = (_req, res, next) => {
  res.removeHeader('Access-Control-Allow-Origin');
  next();
};

/** A worker's listener: its probes, and nothing of the API. */
export function makeProbeListener(deps: ProbesDeps): RequestListener {
  return listenerOf(probes(deps));
}

/** The listener of METRICS_PORT: the figures, and nothing else. */
export function makeMetricsListener(metrics: RequestHandler): RequestListener {
  const router = Router();
  router.get('/metrics', metrics);
  router.all('/metrics', onlyRead);
  return listenerOf(router);
}

function listenerOf(routes: RequestHandler): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_req, res, next) => {
    res.setHeader('X-Request-Id', newId('req_'));
    res.setHeader('X-API-Version', API_VERSION);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.use(routes);
  app.use(({ path }) => {
    throw new AppError('not_found', `There is nothing at ${path.slice(0, 200)}.`);
  });
  app.use(refused);
  return app;
}

const refused: express.ErrorRequestHandler = (error, req, res, next) => {
  if (!(error instanceof AppError)) return next(error);
  send(res, { status: error.status, headers: { ...error.details.headers }, body: error.envelope() });
  req.resume();
};
