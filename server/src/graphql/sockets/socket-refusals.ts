import { GraphQLError } from 'graphql';

/** For a socket that carries `most` operations already. */
export function tooManyAtOnce(most: number): GraphQLError {
  const message = `A socket carries ${most} operations at once. End one, or open another socket.`;
  return new GraphQLError(message, { extensions: { code: 'rate_limited' } });
}

/** For subscriptions that would keep more than an account may. */
export function tooMuchKept(): GraphQLError {
  const message =
    'The subscriptions of this account keep too much: end some, or give them smaller documents and values.';
  return new GraphQLError(message, { extensions: { code: 'rate_limited' } });
}
