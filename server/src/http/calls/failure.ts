import type { IncomingMessage, ServerResponse } from 'node:http';
import type express from 'express';
import { asFailure } from '../../database/as-failure.ts';
import { errorsOf, mediaTypeOf } from '../../graphql/http-errors.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import { logFault } from '../../platform/log-fault.ts';
import type { Log } from '../../platform/logging/log.ts';
import { send } from '../../rest/send.ts';
import type { Locals } from './locals.ts';

/**
 * Reports a call that ends before it reaches GraphQL or the facade: without a key, over its limit, or with a body that is too
 * large.
 */
export const tellRefused: express.ErrorRequestHandler = (error, _req, res, next) => {
  (res.locals as Locals).onRefused?.(knownFailure(error), null);
  next(error);
};

/** What is needed to answer a call with an error. */
export interface FailureDeps {
  /** Is told the code of every call that is answered with an error. */
  readonly onRefusal: (code: ErrorCode) => void;
  readonly log: Log;
}

type Refuse<Req extends IncomingMessage> = (error: unknown, req: Req, res: ServerResponse) => void;

/** Answers an error that was thrown before GraphQL in the form of GraphQL. */
export function graphqlFailure(deps: FailureDeps): express.ErrorRequestHandler {
  const refuse = failure<express.Request>(deps, (known, req) => ({
    body: errorsOf(known),
    headers: { 'Content-Type': mediaTypeOf(req) },
  }));
  return (error, req, res, _next) => refuse(error, req, res);
}

/** Answers an error as the envelope, or in the form that `present` gives; where headers are out already, it ends the answer. */
export function failure<Req extends IncomingMessage>(
  { log, onRefusal }: FailureDeps,
  present: (known: AppError, req: Req) => { body: object | string; headers?: Record<string, string> } = (known) => ({
    body: known.envelope(),
  }),
): Refuse<Req> {
  return (error, req, res) => {
    const known = knownFailure(error);
    onRefusal(known.code);
    logFault(log, known, String(res.getHeader('X-Request-Id')));
    if (res.headersSent) return void res.end();
    const { retryAfterSeconds, headers, answerAfterMs = 0 } = known.details;
    const retry: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    const shown = present(known, req);
    const answer = () => {
      send(res, { status: known.status, headers: { ...headers, ...retry, ...shown.headers }, body: shown.body });
      req.resume();
    };
    if (answerAfterMs === 0) return answer();
    const late = setTimeout(answer, answerAfterMs);
    res.once('close', () => clearTimeout(late));
  };
}

function knownFailure(error: unknown): AppError {
  return isHttpError(error) ? fromHttpError(error) : asFailure(error);
}

function isHttpError(error: unknown): error is { status: number; message: string } {
  const status = (error as { status?: unknown } | null)?.status;
  return !(error instanceof AppError) && typeof status === 'number' && status >= 400 && status < 500;
}

function fromHttpError(error: { status: number; message: string }): AppError {
  if (error.status === 413) return new AppError('payload_too_large', 'The body is too large.');
  return new AppError('invalid_request', `The request could not be read: ${error.message}.`);
}
