import type { ErrorRequestHandler, Request, Response } from 'express';
import { describeCause, LoginFailure } from '../../accounts/openid/openid-failure.ts';
import type { AppError } from '../../platform/errors.ts';
import { send } from '../../rest/send.ts';
import { type FailureDeps, failure } from '../calls/failure.ts';
import { nonceOf } from './page-nonce.ts';
import { smallPage } from './small-page.ts';

/**
 * Answers a failed login at the identity provider: a page for browsers, which the provider has sent here, and the envelope for
 * programs. The cause stands in one line of the log.
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

/** Whether the caller accepts HTML, as browsers say in `Accept`; programs do not. */
export function wantsPage({ headers }: Request): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

function referenceOf(res: Response): string {
  return String(res.getHeader('X-Request-Id'));
}
