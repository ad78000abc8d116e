import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import type { Context } from '../../accounts/callers/context.ts';
import { asFailure } from '../../database/as-failure.ts';
import { logFault } from '../../platform/log-fault.ts';
import type { Log } from '../../platform/logging/log.ts';

/** Writes down what fails on our side of calls over HTTP: their callers are told no more than that it did. */
export function faults(log: Log): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async didEncounterErrors({ errors, contextValue }) {
          for (const thrown of thrownIn(errors)) logFault(log, asFailure(thrown), contextValue.callId);
        },
      };
    },
  };
}

/** What resolvers have thrown, each once: several fields may wait for the same. */
export function thrownIn(errors: readonly GraphQLError[]): Set<Error> {
  return new Set(errors.flatMap(({ path, originalError }) => (path && originalError ? [originalError] : [])));
}
