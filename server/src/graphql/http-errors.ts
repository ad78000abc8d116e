import type { Request, Response } from 'express';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { AppError } from '../platform/errors.ts';
import { formatError } from './format-error.ts';

const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'];

/** An error that was thrown before GraphQL (no key, over the limit, a body that is no JSON) in GraphQL's form. */
export function errorsOf(error: AppError): { errors: GraphQLFormattedError[] } {
  return { errors: [formatError({ message: error.message }, error)] };
}

/** Answers with errors, in the media type that the caller takes. */
export function sendErrors(req: Request, res: Response, status: number, errors: readonly GraphQLError[]): void {
  res.status(status).type(mediaTypeOf(req)).send(JSON.stringify({ errors }));
}

/** Whether the caller accepts one of the media types of answers. */
export function takesAnswers(req: Request): boolean {
  return req.accepts(MEDIA_TYPES) !== false;
}

/** The media type of an answer: the one that the caller accepts, `application/json` for callers that name none. */
export function mediaTypeOf(req: Request): string {
  const accepted = req.accepts(MEDIA_TYPES);
  return `${accepted === false ? MEDIA_TYPES[0] : accepted}; charset=utf-8`;
}
