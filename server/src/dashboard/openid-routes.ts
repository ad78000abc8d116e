import type { Request, Response } from 'express';
import { type RequestHandler, Router } from 'express';
import type { AnonymousLimiter } from '../accounts/anonymous-limiter.ts';
import type { FrontDoor } from '../accounts/front-door.ts';
import { ERRAND_SECONDS, type OpenIdLogin } from '../accounts/openid-login.ts';
import { readCookie, setCookie } from '../accounts/session-cookie.ts';
import type { SignUp } from '../accounts/sign-up.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ApiPlace } from './api-address.ts';
import { browserOf } from './browser-of.ts';
import { loginFailures } from './login-failures.ts';
import { pageWithStyles } from './page-nonce.ts';
import { type Place, placeOf } from './place.ts';

const START = '/api/login/start';
const CALLBACK = '/api/login/callback';

export interface OpenIdRoutesDeps {
  /** Null where people log in by password. */
  readonly openId: OpenIdLogin | null;
  readonly door: FrontDoor;
  /** Null where only the operator makes accounts. */
  readonly signUp: SignUp | null;
  readonly dashboardUrl: URL | null;
  /** Counts who comes, by address. */
  readonly anonymous: AnonymousLimiter;
  readonly api: ApiPlace;
  readonly log: Log;
}

/** `GET /api/login/start` sends the browser to the identity provider, `/api/login/callback` takes it back. */
export function openIdRoutes(deps: OpenIdRoutesDeps): RequestHandler {
  const { openId, door, signUp, dashboardUrl, anonymous } = deps;
  const router = Router();
  router.get([START, CALLBACK], pageWithStyles(deps.api), (req, _res, next) => {
    anonymous.hit(req.ip ?? 'unknown');
    next();
  });
  router.get(START, async (req, res) => {
    const place = placeOf(req, dashboardUrl);
    const { url, errand } = await required(openId).start(new URL(CALLBACK, place.url));
    res.appendHeader('Set-Cookie', setCookie(errandCookie(place), errand, ERRAND_SECONDS, place.cookies));
    res.redirect(303, url.href);
  });
  router.get(CALLBACK, async (req, res) => {
    const place = placeOf(req, dashboardUrl);
    const browser = browserOf(req, res, place);
    const welcome = signUp && ((email: string) => signUp.welcome(email, browser.address));
    const accountId = await required(openId).finish(new URL(req.url, place.url), takeErrand(req, res, place), welcome);
    await door.enter(accountId, browser);
    res.redirect(303, '/');
  });
  router.use([START, CALLBACK], loginFailures(deps.log));
  return router;
}

function required(openId: OpenIdLogin | null): OpenIdLogin {
  if (!openId) throw new AppError('not_found', 'People log in here with e-mail and password: POST /api/login.');
  return openId;
}

/** What the browser kept since it left; it serves one return. */
function takeErrand(req: Request, res: Response, place: Place): string | null {
  const name = errandCookie(place);
  const errand = readCookie(req.headers.cookie, name);
  if (errand !== null) res.appendHeader('Set-Cookie', setCookie(name, '', 0, place.cookies));
  return errand;
}

function errandCookie({ cookies }: Place): string {
  return cookies.secure ? '__Host-login' : 'login';
}
