import { ApolloServer } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { RequestHandler } from 'express';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Context } from '../accounts/context.ts';
import { AppError, asAppError } from '../errors.ts';

/** GraphQL over HTTP, for whoever is authenticated. */
export async function openApollo(
  schema: GraphQLSchema,
): Promise<{ server: ApolloServer<Context>; handler: RequestHandler }> {
  const server = new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    hideSchemaDetailsFromClientErrors: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, thrown) => formatError(formatted, unwrapResolverError(thrown)),
    plugins: [ApolloServerPluginLandingPageDisabled()],
  });
  await server.start();
  const handler = expressMiddleware(server, {
    context: async ({ res }) => ({ ...(res.locals as Pick<Context, 'caller' | 'browser'>) }),
  }) as RequestHandler;
  return { server, handler };
}

/** The codes of the REST API; GraphQL's own (a query that does not parse) stay as they are. */
function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  if (!(thrown instanceof AppError) && code !== undefined && code !== 'INTERNAL_SERVER_ERROR') return formatted;
  const known = asAppError(thrown);
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
