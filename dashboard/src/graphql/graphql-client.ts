import { createClient as createSocket } from 'graphql-ws';
import { Client, cacheExchange, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { socketAddress } from '../http/addresses.ts';
import { reconnected } from './reconnections.ts';

/** GraphQL with the session cookie: what was seen before at once, and then what is so now. */
export function openGraphql(onSignedOut: () => void): Client {
  const socket = createSocket({
    url: socketAddress(),
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    on: { connected: (_socket, _payload, wasRetry) => wasRetry && reconnected() },
  });
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: ({ response, graphQLErrors }) => {
          const codes = graphQLErrors.map(({ extensions }) => extensions['code']);
          if (response?.status === 401 || codes.includes('authentication_error')) onSignedOut();
        },
      }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query, variables: variables as Record<string, unknown> }, sink),
          }),
        }),
      }),
    ],
  });
}
