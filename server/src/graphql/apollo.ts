import { ApolloServer } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../accounts/context.ts';
import type { RateLimiter } from '../accounts/rate-limit.ts';
import { formatError } from './format-error.ts';
import { MOST_SELECTIONS, MOST_TOKENS, sizeRule } from './limits.ts';
import { ratePoints } from './rate-points.ts';

/** GraphQL over HTTP, for whoever is authenticated. */
export async function openApollo(
  schema: GraphQLSchema,
  limiter: RateLimiter,
): Promise<{ server: ApolloServer<Context>; handler: RequestHandler }> {
  const server = new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: MOST_TOKENS },
    maxRecursiveSelections: MOST_SELECTIONS,
    validationRules: [sizeRule],
    hideSchemaDetailsFromClientErrors: false, // whoever gets here may read the schema
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, thrown) => formatError(formatted, unwrapResolverError(thrown)),
    plugins: [ApolloServerPluginLandingPageDisabled(), ratePoints(limiter)],
  });
  await server.start();
  const handler = expressMiddleware(server, {
    context: async ({ res }) => ({ ...(res.locals as Pick<Context, 'caller' | 'browser'>) }),
  }) as RequestHandler;
  return { server, handler };
}
