import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import type { Context } from '../../accounts/callers/context.ts';
import { asFailure } from '../../database/as-failure.ts';
import { logFault } from '../../platform/log-fault.ts';
import type { Log } from '../../platform/logging/log.ts';

/** Logs failures of the service in calls over HTTP; their callers are told only that something failed. */
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

/** The errors that resolvers have thrown, each once: several fields may wait for the same. */
export function thrownIn(errors: readonly GraphQLError[]): Set<Error> {
  return new Set(errors.flatMap(({ path, originalError }) => (path && originalError ? [originalError] : [])));
}
