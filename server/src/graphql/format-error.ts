import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { asFailure } from '../database/as-failure.ts';
import { AppError } from '../platform/errors.ts';

/** The code of an error; empty for an error without one. */
export function codeOf({ extensions }: GraphQLError | GraphQLFormattedError): string {
  const code = extensions?.['code'];
  return typeof code === 'string' ? code : '';
}

/**
 * The error as callers are shown it, with the code of the REST API. GraphQL's own errors (a query that does not parse) stay as
 * they are.
 */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  if (!(thrown instanceof AppError) && code !== undefined && code !== 'INTERNAL_SERVER_ERROR') return formatted;
  const known = asFailure(thrown);
  const { suggestions, retryAfterSeconds } = known.details;
  return {
    message: known.message,
    ...(formatted.path && { path: formatted.path }),
    ...(formatted.locations && { locations: formatted.locations }),
    extensions: {
      code: known.code,
      ...(suggestions && { suggestions }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    },
  };
}
