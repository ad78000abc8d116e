import type { RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler, type Response } from 'express';
import type { Browser } from '../../accounts/callers/browser.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import { requireScope, requireSession } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { isScope } from '../../accounts/model/scopes.ts';
import { API_VERSION } from '../../monitoring/changelog.ts';
import { addressBucket } from '../../platform/address-bucket.ts';
import type { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Facade } from '../../rest/facade.ts';
import type { AccountExports } from '../../usage/export/account-export.ts';
import { failure, graphqlFailure, tellRefused } from '../calls/failure.ts';
import type { FileTurns } from '../calls/file-turns.ts';
import { type WatchAnswer, watchAnswers } from '../calls/watch-answers.ts';
import { browserOf } from './browser-of.ts';
import { EXPORT, exportRoute } from './export-route.ts';
import { type IdentifyDeps, identify } from './identify.ts';
import { type OpenIdRoutesDeps, openIdRoutes } from './openid-routes.ts';
import { packedAnswers } from './packed-answers.ts';
import { PAGE_PICTURE, type PagePictures, pagePictureRoute } from './page-picture-route.ts';
import { pageRules } from './page-rules.ts';
import { foreign, isFromDashboard, placeOf } from './place.ts';
import { webApp } from './web-app.ts';

export interface DashboardDeps extends IdentifyDeps, OpenIdRoutesDeps {
  /** The facade for the contract in `openapi/dashboard`. */
  readonly facade: Facade<Visitor>;
  /** Reads the body of a GraphQL call. The caller is known before it runs. */
  readonly graphqlBody: RequestHandler;
  readonly graphql: RequestHandler;
  readonly exports: Pick<AccountExports, 'open'>;
  readonly pagePictures: PagePictures;
  /** Sends files in turns by address. */
  readonly fileTurns: FileTurns;
  /**
   * Is told of calls that GraphQL refuses, and of those refused before they reach it or the facade; the facade reports its own.
   */
  readonly onRefused: (error: AppError, res: ServerResponse, from: { caller: Caller | null; body: unknown }) => void;
  readonly watchAnswer: WatchAnswer;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

/** The caller of the dashboard and the browser: what its facade hands on. */
export interface Visitor {
  readonly caller: Caller | null;
  readonly browser: Browser;
}

/** Paths of changes that need no login, but have to come from the dashboard's pages all the same. */
const OPEN_CHANGES = new Set(['/api/login', '/api/register', '/api/logout']);
/** Paths of the web application's files. */
const FILES = ['/assets', '/static'];
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The listener of the dashboard's address: cookies instead of keys, and nothing for scripts of other sites. */
export function makeDashboard(deps: DashboardDeps): RequestListener {
  const { dashboardUrl } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', deps.trustedProxies);
  app.use((_req, res, next) => {
    res.setHeader('X-Request-Id', newId('req_'));
    res.setHeader('X-API-Version', API_VERSION);
    res.setHeader('Cache-Control', 'no-store');
    Object.assign(res.locals, refusedOf(deps, res, null));
    next();
  });
  app.use(watchAnswers(deps));
  app.use(pageRules(deps.api));
  app.use(
    FILES,
    deps.fileTurns.of(({ ip }) => addressBucket(ip ?? 'unknown')),
  );
  app.use(webApp(deps.api));
  app.use(openIdRoutes(deps));
  app.use(async (req, res, next) => {
    const browser = browserOf(req, res, placeOf(req, dashboardUrl));
    const caller = await identify(deps, browser, req, res);
    // Callers that are not logged in learn that first, from the handlers below.
    const matters = caller?.via === 'session' || OPEN_CHANGES.has(req.path);
    if (matters && !READING.has(req.method) && !isFromDashboard(req, dashboardUrl)) throw foreign();
    Object.assign(res.locals, { caller, browser } satisfies Visitor, refusedOf(deps, res, caller));
    next();
  });
  app.use('/graphql', requireLogin, packedAnswers, deps.graphqlBody, deps.graphql);
  app.use('/graphql', tellRefused, graphqlFailure(deps));
  app.all(EXPORT, exportRoute(deps.exports));
  app.all(PAGE_PICTURE, pagePictureRoute(deps.pagePictures));
  app.use((req, res) => deps.facade.handle(req, res, visitorOf(res)));
  const refuse = failure(deps);
  app.use(tellRefused);
  app.use(((error, req, res, _next) => refuse(error, req, res)) satisfies express.ErrorRequestHandler);
  return app;
}

function refusedOf({ onRefused }: DashboardDeps, res: Response, caller: Caller | null): Pick<Context, 'onRefused'> {
  return { onRefused: (error, engine) => onRefused(error, res, { caller, body: { engine } }) };
}

/** Applies the contract's rule for an operation: the scope that it names, or else a login. */
export function authoriseVisitor({ caller }: Visitor, scope: string | null): void {
  if (scope !== null && isScope(scope)) requireScope(caller, scope);
  else requireSession(caller);
}

function requireLogin(_req: unknown, res: Response, next: () => void): void {
  requireSession(visitorOf(res).caller);
  next();
}

function visitorOf(res: Response): Visitor {
  return res.locals as Visitor; // set above
}
