import { ApolloServer } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { Request, RequestHandler, Response } from 'express';
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, OperationTypeNode } from 'graphql';
import type { Context } from '../accounts/callers/context.ts';
import { hangUpOf } from '../accounts/callers/hang-up.ts';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import type { ReadTurns } from '../platform/concurrency/read-turns.ts';
import type { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/logging/log.ts';
import { forgetLongTexts } from '../platform/memory/forget-long-texts.ts';
import { jsonInTurns } from '../platform/turns/json-in-turns.ts';
import { MOST_TOKENS, readDocument, tooLarge } from './call/document.ts';
import { faults } from './call/faults.ts';
import { noSubscriptions } from './call/no-subscriptions.ts';
import { refusalOf, refusedCalls } from './call/refused-calls.ts';
import { trimmedBody } from './call/trimmed-body.ts';
import { codeOf, formatError } from './format-error.ts';
import { mediaTypeOf, sendErrors, takesAnswers } from './http-errors.ts';
import { schemaTenths, sizeErrors } from './limits.ts';
import { ratePoints, schemaRefusal } from './rate-points.ts';
import { type SchemaAnswer, type SchemaAnswers, type SchemaQuestion, schemaQuestion } from './schema-answers.ts';

/**
 * Plugins that keep Apollo from adding, by itself or by its environment, what is not wanted here; none of that is loaded either.
 */
const WITHOUT = [
  ApolloServerPluginLandingPageDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginSchemaReportingDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
];

export interface ApolloDeps {
  readonly limiter: RateLimiter;
  readonly reads: ReadTurns;
  readonly schemaAnswers: SchemaAnswers;
  /** Is told the code of every error that is answered. */
  readonly onRefusal: (code: string) => void;
  readonly log: Log;
}

/** Makes the server and the handler of GraphQL over HTTP, for authenticated callers. */
export async function openApollo(
  schema: GraphQLSchema,
  deps: ApolloDeps,
): Promise<{ server: ApolloServer<Context>; handler: RequestHandler }> {
  const { limiter, onRefusal, log } = deps;
  const server = new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: MOST_TOKENS },
    documentStore: null, // parsed documents would keep the texts of callers in memory
    persistedQueries: false, // so are texts that are sent once and named later
    hideSchemaDetailsFromClientErrors: false, // every caller who gets here may read the schema
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    stringifyResult: async (result) => `${await jsonInTurns(result).whole()}\n`, // as Apollo's own, with its line break
    formatError: (formatted, thrown) => {
      const shown = formatError(formatted, unwrapResolverError(thrown));
      onRefusal(codeOf(shown));
      return shown;
    },
    plugins: [...WITHOUT, noSubscriptions(), ratePoints(limiter), refusedCalls(), faults(log)],
  });
  await server.start();
  const execute = expressMiddleware(server, {
    context: async ({ res }) => contextOf(res),
  }) as Execute;
  return { server, handler: handlerOf(schema, execute, deps) };
}

/** Apollo's handler, which is asynchronous. */
type Execute = (...call: Parameters<RequestHandler>) => Promise<void>;

/** Refuses a document, or answers it where it asks of the schema alone; everything else is Apollo's. */
function handlerOf(
  schema: GraphQLSchema,
  execute: Execute,
  { limiter, reads, schemaAnswers, onRefusal }: ApolloDeps,
): RequestHandler {
  return async (req, res, next) => {
    if (req.method === 'HEAD') req.method = 'GET'; // the same answer, of which Node leaves out the body; Apollo knows no HEAD
    const { caller } = heard(res);
    const text = textOf(req);
    const question = schemaQuestionOf(req, text);
    const known = question && schemaAnswers.known(question);
    if (caller && known) return sendSchema(req, res, known, await schemaRefusal(limiter, caller, known.tenths));
    const { errors, document } = lookedAt(text, schema);
    for (const error of errors) onRefusal(codeOf(error));
    const [first] = errors;
    if (first !== undefined) {
      heard(res).onRefused?.(refusalOf(first), null);
      return sendErrors(req, res, 400, errors);
    }
    if (document && req.method === 'POST') req.body = trimmedBody(req.body, document);
    const tenths = document ? schemaTenths(schema, document, text) : 0;
    if (!caller || !document || tenths === 0) {
      const run = () => execute(req, res, next);
      return document && readsOnly(document) ? reads.run(caller?.accountId ?? null, hangUpOf(res), run) : run();
    }
    const refusal = await schemaRefusal(limiter, caller, tenths);
    if (refusal) throw refusal; // before anything is validated
    const made = await schemaAnswers.answer({ question, document, tenths }, caller.accountId);
    return made ? sendSchema(req, res, made) : execute(req, res, next);
  };
}

/** Whether a document has queries only: a mutation may take as long as an engine does, and takes no turn at reads. */
function readsOnly({ definitions }: DocumentNode): boolean {
  return definitions.every(
    (each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation === OperationTypeNode.QUERY,
  );
}

/** The caller and what else earlier steps of the listener have put into `res.locals`. */
function heard(res: Response): Pick<Context, 'caller' | 'browser' | 'onRefused'> {
  return res.locals as Pick<Context, 'caller' | 'browser' | 'onRefused'>;
}

/** The context of a call. A call that led to a request is not reported as refused: the request is counted instead. */
function contextOf(res: Response): Context {
  const { onRefused, ...found } = heard(res);
  let hasRequest = false;
  return {
    ...found,
    callId: String(res.getHeader('X-Request-Id')),
    hangUp: hangUpOf(res),
    onRequest: () => {
      hasRequest = true;
      forgetLongTexts(res.req.body?.variables); // Apollo has values of its own made of them
    },
    onRefused: (error, engine) => {
      if (!hasRequest) onRefused?.(error, engine);
    },
  };
}

/** The document, or the errors for which it is refused. Neither for a text that does not parse: Apollo answers that one. */
function lookedAt(
  text: string,
  schema: GraphQLSchema,
): { readonly errors: readonly GraphQLError[]; readonly document: DocumentNode | null } {
  const refusal = tooLarge(text);
  if (refusal) return { errors: [refusal], document: null };
  const document = readDocument(text);
  if (document instanceof GraphQLError) return { errors: [], document: null };
  return { errors: sizeErrors(schema, document), document };
}

/**
 * The question that a call asks of the schema; null where it asks none, and for calls whose answer Apollo may have to change:
 * with `extensions`, or in no media type that there is.
 */
function schemaQuestionOf(req: Request, text: string): SchemaQuestion | null {
  if (req.method !== 'POST' || text === '' || !takesAnswers(req)) return null;
  const { operationName, variables, extensions } = req.body as Record<string, unknown>; // it has a text
  return isEmpty(extensions ?? {}) ? schemaQuestion(text, operationName, variables) : null;
}

/** Whether a value is an object without properties. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value ?? {}).length === 0;
}

/** Sends an answer of the schema with the headers that Apollo sends; throws the refusal. */
function sendSchema(req: Request, res: Response, { json }: SchemaAnswer, refusal: AppError | null = null): void {
  if (refusal) throw refusal;
  res.setHeader('Cache-Control', 'no-store');
  res.type(mediaTypeOf(req)).send(json);
}

/** The text of a call's document, by POST or GET; empty for a call that Apollo refuses anyway. */
function textOf(req: Request): string {
  const query = req.method === 'GET' ? new URLSearchParams(/\?(.*)/s.exec(req.url)?.[1]).get('query') : req.body?.query;
  return typeof query === 'string' ? query : '';
}
