import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import type { Audit } from '../accounts/store/audit.ts';
import type { ReadTurns } from '../platform/concurrency/read-turns.ts';
import type { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/logging/log.ts';
import type { RefusedCall } from '../platform/refused-call.ts';
import { openApollo } from './apollo.ts';
import { audited } from './audited.ts';
import { boundedInputs } from './bounded-inputs.ts';
import { makeSchema } from './schema.ts';
import { SchemaAnswers } from './schema-answers.ts';
import { SchemaTurns } from './schema-turns.ts';
import type { OperationsDeps } from './socket-operations.ts';
import { Sockets } from './sockets.ts';

export interface GraphqlDeps {
  readonly resolvers: readonly object[];
  readonly audit: Audit;
  readonly limiter: RateLimiter;
  readonly reads: ReadTurns;
  /** The feeds that subscriptions read, put into the context of sockets. */
  readonly feeds: Pick<Context, 'requestFeed' | 'operationsFeed'>;
  /** Is told the code of every error that is answered. */
  readonly onRefusal: (code: string) => void;
  /** Counts refused operations on sockets; over HTTP the listeners report theirs. */
  readonly refusals: { note(call: RefusedCall): void };
  readonly log: Log;
}

export interface OpenedGraphql extends AsyncDisposable {
  readonly schema: GraphQLSchema;
  /** Handles GraphQL over HTTP. */
  readonly graphql: RequestHandler;
  readonly sockets: Sockets;
}

/** Makes the schema of the resolvers of all slices, and what executes it for callers. */
export async function openGraphql(deps: GraphqlDeps): Promise<OpenedGraphql> {
  const { resolvers, audit, limiter, reads, feeds, onRefusal, refusals, log } = deps;
  await using stack = new AsyncDisposableStack();
  const schema = boundedInputs(audited(makeSchema(resolvers), audit));
  const schemaAnswers = new SchemaAnswers(schema, new SchemaTurns());
  const apollo = await openApollo(schema, { limiter, reads, schemaAnswers, onRefusal, log });
  stack.defer(() => apollo.server.stop());
  const contextOf = (caller: NonNullable<Context['caller']>): Context => ({ caller, ...feeds });
  const onRefused: OperationsDeps['onRefused'] = (error, caller, engine) =>
    refusals.note(refusedOnSocket(error, caller, engine));
  const sockets = stack.use(
    new Sockets({ schema, schemaAnswers, limiter, reads, contextOf, onRefusal, onRefused, log }),
  );
  const opened = stack.move();
  return { schema, graphql: apollo.handler, sockets, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The record of a refused operation on a socket. It gets a new id: nobody has another one to ask for it by. */
function refusedOnSocket({ status, code, message }: AppError, caller: Caller, engine: string | null): RefusedCall {
  const { accountId, keyId } = caller;
  return {
    ...{ requestId: newId('req_'), status, code, message, method: 'GET', path: '/graphql' },
    ...{ accountId, keyId: keyId || null, address: null, engine },
  };
}
