import type { Request, Response } from 'express';
import { type RequestHandler, Router, urlencoded } from 'express';
import type { AnonymousLimiter } from '../../accounts/callers/anonymous-limiter.ts';
import type { LoginEndpoint } from '../../accounts/login/login-endpoint.ts';
import { readCookie, setCookie } from '../../accounts/login/session-cookie.ts';
import type { SignUp } from '../../accounts/login/sign-up.ts';
import { CONNECT_SECONDS } from '../../accounts/openid/account-connections.ts';
import { LoginFailure } from '../../accounts/openid/openid-failure.ts';
import { ERRAND_SECONDS, type OpenIdLogin } from '../../accounts/openid/openid-login.ts';
import { AppError } from '../../platform/errors.ts';
import { type FailureDeps, tellRefused } from '../calls/failure.ts';
import type { Locals } from '../calls/locals.ts';
import type { ApiPlace } from './api-address.ts';
import { browserOf } from './browser-of.ts';
import { CONNECT, sendConnectPage } from './connect-page.ts';
import { loginFailures, wantsPage } from './login-failures.ts';
import { pageWithStyles } from './page-nonce.ts';
import { foreign, isFromDashboard, type Place, placeOf } from './place.ts';

const START = '/api/login/start';
const CALLBACK = '/api/login/callback';

export interface OpenIdRoutesDeps extends FailureDeps {
  /** The login at the provider; null where people log in by password. */
  readonly openId: OpenIdLogin | null;
  readonly loginEndpoint: LoginEndpoint;
  /** Makes accounts for newcomers; null where only the operator makes accounts. */
  readonly signUp: SignUp | null;
  readonly dashboardUrl: URL | null;
  /** Counts calls by address. */
  readonly anonymous: AnonymousLimiter;
  readonly api: ApiPlace;
}

/**
 * Routes of the login at the provider. `GET /api/login/start` sends the browser to the provider, `/api/login/callback` takes it
 * back, and `POST /api/login/connect` takes the password of an account that the person has to show to be theirs.
 */
export function openIdRoutes(deps: OpenIdRoutesDeps): RequestHandler {
  const { loginEndpoint, signUp, dashboardUrl, anonymous } = deps;
  const openId = () => required(deps.openId);
  const router = Router();
  router.all([START, CALLBACK, CONNECT], pageWithStyles(deps.api), (req, _res, next) => {
    anonymous.hit(req.ip ?? 'unknown');
    next();
  });
  router.get(START, async (req, res) => {
    const place = placeOf(req, dashboardUrl);
    const { url, errand } = await openId().start(new URL(CALLBACK, place.url));
    keep(res, place, { name: 'login', value: errand, seconds: ERRAND_SECONDS });
    res.redirect(303, url.href);
  });
  router.get(CALLBACK, async (req, res) => {
    const place = placeOf(req, dashboardUrl);
    const browser = browserOf(req, res, place);
    const welcome = signUp && ((email: string) => signUp.welcome(email, browser.address));
    const errand = read(req, place, 'login');
    if (errand !== null) forget(res, place, 'login'); // it serves one return
    const arrival = await openId().finish(new URL(req.url, place.url), errand, welcome);
    if ('newcomer' in arrival) {
      if (!wantsPage(req)) throw new LoginFailure('unverifiedAccount');
      const value = await openId().connections.ask(arrival.newcomer);
      keep(res, place, { name: 'connect', value, seconds: CONNECT_SECONDS });
      return sendConnectPage(res, { email: arrival.newcomer.email, refusal: null });
    }
    await loginEndpoint.enter(arrival.accountId, browser, arrival.login);
    res.redirect(303, '/');
  });
  router.post(CONNECT, urlencoded({ extended: false, limit: 4096, parameterLimit: 4 }), async (req, res) => {
    const place = placeOf(req, dashboardUrl);
    if (!isFromDashboard(req, dashboardUrl)) throw foreign();
    const { connections } = openId();
    const browser = browserOf(req, res, place);
    const newcomer = await connections.read(read(req, place, 'connect'));
    const accountId = await connections
      .confirm(newcomer, passwordOf(req.body), browser.address)
      .catch((error: unknown) => retried(error, res, newcomer.email));
    if (accountId === null) return;
    forget(res, place, 'connect');
    await loginEndpoint.enter(accountId, browser, newcomer);
    res.redirect(303, '/');
  });
  router.use([START, CALLBACK, CONNECT], tellRefused, loginFailures(deps));
  return router;
}

function required(openId: OpenIdLogin | null): OpenIdLogin {
  if (!openId) throw new AppError('not_found', 'People log in here with e-mail and password: POST /api/login.');
  return openId;
}

/** Shows the page once more after a wrong password. Throws any other error. */
function retried(error: unknown, res: Response, email: string): null {
  const isWrong = error instanceof AppError && !(error instanceof LoginFailure) && error.status === 401;
  if (!isWrong) throw error;
  (res.locals as Locals).onRefused?.(error, null);
  sendConnectPage(res, { email, refusal: 'The password is wrong.' });
  return null;
}

function passwordOf(body: unknown): string {
  const { password } = (body ?? {}) as { password?: unknown };
  return typeof password === 'string' ? password : '';
}

/** Names of the cookies that the browser keeps between two of these steps. */
type Step = 'login' | 'connect';

function keep(
  res: Response,
  place: Place,
  { name, value, seconds }: { name: Step; value: string; seconds: number },
): void {
  res.appendHeader('Set-Cookie', setCookie(cookieName(name, place), value, seconds, place.cookies));
}

function read(req: Request, place: Place, name: Step): string | null {
  return readCookie(req.headers.cookie, cookieName(name, place));
}

function forget(res: Response, place: Place, name: Step): void {
  keep(res, place, { name, value: '', seconds: 0 });
}

function cookieName(name: Step, { cookies }: Place): string {
  return cookies.secure ? `__Host-${name}` : name;
}
