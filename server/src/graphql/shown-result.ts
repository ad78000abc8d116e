import { type ExecutionResult, GraphQLError } from 'graphql';
import { withCode } from './call/with-code.ts';
import { codeOf, formatError } from './format-error.ts';

/** A result as the peer of a socket is shown it: errors have the words and codes of REST. */
export function shown(result: ExecutionResult): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(toError) } : result;
}

/**
 * The error as callers are shown it. An error of GraphQL itself has no cause, or no field in which it happened (the value of a
 * variable), and keeps its words.
 */
export function toError(error: GraphQLError): GraphQLError {
  if (!error.originalError && (error.path || codeOf(error) !== '')) return error;
  if (!error.path) return withCode(error, 'BAD_USER_INPUT');
  const { message, extensions } = formatError(error.toJSON(), error.originalError);
  return new GraphQLError(message, { nodes: error.nodes, path: error.path, extensions });
}
