import { GraphQLError } from 'graphql';
import { AppError } from '../../platform/errors.ts';

const RETRY_AFTER_SECONDS = 5;
/** Versions of the WebSocket protocol that `ws` takes. */
const PROTOCOL_VERSIONS = '13, 8';

/** The refusal for a socket that carries `most` operations already. */
export function tooManyAtOnce(most: number): GraphQLError {
  const message = `A socket carries ${most} operations at once. End one, or open another socket.`;
  return new GraphQLError(message, { extensions: { code: 'rate_limited' } });
}

/** The refusal for a subscription with which its account's would keep too much memory. */
export function tooMuchKept(): GraphQLError {
  const message =
    'The subscriptions of this account keep too much: end some, or give them smaller documents and values.';
  return new GraphQLError(message, { extensions: { code: 'rate_limited' } });
}

/** The refusal for a WebSocket at any path but `/graphql`. */
export function nothingAt(path: string): AppError {
  return new AppError('not_found', `There is no WebSocket at ${path.slice(0, 200)}; open it at /graphql.`);
}

/** The refusal for a socket that is opened while the process stops. */
export function comeAgain(): AppError {
  return new AppError('engine_unavailable', 'This process is about to stop. Open the socket again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The refusal for a socket that a page of another site opens, where cookies identify the caller. */
export function ofAnotherSite(): AppError {
  return new AppError('insufficient_scope', 'This socket must be opened by a page of this address.');
}

/** The refusal for a handshake that is not one of a WebSocket; `problem` names the header. */
export function badHandshake(problem: string): AppError {
  return new AppError('invalid_request', `${problem}.`, { headers: { 'Sec-WebSocket-Version': PROTOCOL_VERSIONS } });
}

/** The refusal for a name that no operation of the document has, and for several operations without a name. */
export function noSuchOperation(): GraphQLError {
  const extensions = { code: 'OPERATION_RESOLUTION_FAILURE' };
  return new GraphQLError('There is no such operation in the document.', { extensions });
}
