import { type ExecutionResult, GraphQLError } from 'graphql';
import { withCode } from './call/with-code.ts';
import { codeOf, formatError } from './format-error.ts';

/** A result as a socket's peer is shown it: errors in the words and codes of REST. */
export function shown(result: ExecutionResult): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(toError) } : result;
}

/** What GraphQL itself finds wrong has no cause, or no field it happened in (a value of a variable), and keeps its words. */
export function toError(error: GraphQLError): GraphQLError {
  if (!error.originalError && (error.path || codeOf(error) !== '')) return error;
  if (!error.path) return withCode(error, 'BAD_USER_INPUT');
  const { message, extensions } = formatError(error.toJSON(), error.originalError);
  return new GraphQLError(message, { nodes: error.nodes, path: error.path, extensions });
}
