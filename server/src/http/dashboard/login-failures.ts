import type { ErrorRequestHandler, Request, Response } from 'express';
import { describeCause, LoginFailure } from '../../accounts/openid/openid-failure.ts';
import type { AppError } from '../../platform/errors.ts';
import { send } from '../../rest/send.ts';
import { type FailureDeps, failure } from '../api/api.ts';
import { nonceOf } from './page-nonce.ts';
import { smallPage } from './small-page.ts';

/**
 * A login at the identity provider that failed: a page for browsers, which have been sent here by the provider, and the
 * envelope for programs. The cause stands in one line of the log.
 */
export function loginFailures(deps: FailureDeps): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const present = (known: AppError) => presented(known, req, res);
    if (!(error instanceof LoginFailure)) return failure<Request>(deps, present)(error, req, res);
    const { reason, cause, status } = error;
    const why = cause === undefined ? {} : { cause: describeCause(cause) };
    deps.onRefusal(error.code);
    deps.log.warn({ requestId: referenceOf(res), reason, ...why }, 'a login at the identity provider failed');
    send(res, { status, ...present(error) });
  };
}

function presented(
  known: AppError,
  req: Request,
  res: Response,
): { body: object | string; headers: Record<string, string> } {
  if (!wantsPage(req)) return { body: known.envelope(), headers: {} };
  const body = smallPage({
    nonce: nonceOf(res),
    title: 'You are not signed in',
    message: known.message,
    reference: referenceOf(res),
  });
  return { body, headers: { 'Content-Type': 'text/html; charset=utf-8' } };
}

/** Browsers name HTML; who names nothing is a program. */
export function wantsPage({ headers }: Request): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

function referenceOf(res: Response): string {
  return String(res.getHeader('X-Request-Id'));
}
