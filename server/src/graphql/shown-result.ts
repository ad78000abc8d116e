import { type ExecutionResult, GraphQLError } from 'graphql';
import { formatError } from './format-error.ts';

/** A result as a socket's peer is shown it: errors in the words and codes of REST. */
export function shown(result: ExecutionResult): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(toError) } : result;
}

/** What GraphQL itself finds wrong has no cause, or no field it happened in (a value of a variable), and keeps its words. */
export function toError(error: GraphQLError): GraphQLError {
  if (!error.originalError) return error;
  if (!error.path) {
    return new GraphQLError(error.message, { nodes: error.nodes, extensions: { code: 'BAD_USER_INPUT' } });
  }
  const { message, extensions } = formatError(error.toJSON(), error.originalError);
  return new GraphQLError(message, { nodes: error.nodes, path: error.path, extensions });
}
