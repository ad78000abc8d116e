import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { Context } from '../../accounts/callers/context.ts';

/** Refuses subscriptions over HTTP, which has one answer a call: executed as a query they fail in their resolvers. */
export function noSubscriptions(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation, response }) {
          if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return;
          response.http.status = 400;
          throw new GraphQLError('Subscriptions need a socket: open one here with the protocol graphql-transport-ws.', {
            extensions: { code: 'BAD_REQUEST' },
          });
        },
      };
    },
  };
}
