import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  subscribe,
  validate,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { Caller } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import { asFailure } from '../database/as-failure.ts';
import type { ReadTurns } from '../platform/concurrency/read-turns.ts';
import { SingleTurns } from '../platform/concurrency/single-turns.ts';
import { AppError } from '../platform/errors.ts';
import { logFault } from '../platform/log-fault.ts';
import type { Log } from '../platform/logging/log.ts';
import { forgetLongTexts } from '../platform/memory/forget-long-texts.ts';
import { hasLargePart, jsonInTurns } from '../platform/turns/json-in-turns.ts';
import { lastingDocument, readDocument } from './call/document.ts';
import { thrownIn } from './call/faults.ts';
import { engineAskedFor, refusalIn } from './call/refused-calls.ts';
import { rootFields } from './call/root-fields.ts';
import { withCode } from './call/with-code.ts';
import { codeOf } from './format-error.ts';
import { schemaTenths, sizeErrors } from './limits.ts';
import { asRefusal, schemaRefusal, takePoints, tooMany } from './rate-points.ts';
import { type SchemaAnswer, type SchemaAnswers, schemaQuestion } from './schema-answers.ts';
import { shown } from './shown-result.ts';
import { audienceOf, messageInTurns } from './sockets/feed-receiver.ts';
import { OperationMemory } from './sockets/operation-memory.ts';
import { type Receiver, SharedFeeds } from './sockets/shared-feeds.ts';
import { noSuchOperation, tooMuchKept } from './sockets/socket-refusals.ts';
import { once, WrittenAnswers } from './sockets/written-answers.ts';

export interface OperationsDeps {
  readonly schema: GraphQLSchema;
  readonly schemaAnswers: SchemaAnswers;
  readonly limiter: RateLimiter;
  readonly reads: ReadTurns;
  readonly contextOf: (caller: Caller) => Context;
  /** Is told the code of every error that is answered. */
  readonly onRefusal: (code: string) => void;
  /** Is told of every operation that was answered with errors only and led to no request. */
  readonly onRefused: (error: AppError, caller: Caller, engine: string | null) => void;
  readonly log: Log;
}

/** The other end of a socket. */
export interface Peer {
  caller: Caller | null;
  readonly hangUp: () => AbortSignal;
  /** Memory that the peer's subscriptions hold, by operation id; see `OperationMemory`. */
  readonly kept: Map<string, { release(): void }>;
}

/** An operation that a peer asks for. */
interface AskedOperation {
  readonly id: string;
  readonly peer: Peer;
  readonly caller: Caller;
  /** The receiver of messages that are written already. */
  readonly receiver: () => Receiver;
}

/** An operation that has passed the checks, with its document. */
interface Checked {
  readonly document: DocumentNode;
  readonly type: OperationTypeNode;
  readonly fields: ReturnType<typeof rootFields>;
}

/** Runs the operations of sockets: the checks that Apollo makes over HTTP, execution, and the reporting of errors. */
export class SocketOperations {
  readonly #deps: OperationsDeps;
  readonly #memory = new OperationMemory();
  readonly #turns = new SingleTurns();
  readonly #shared = new SharedFeeds((result) => shown(this.#logged(result)));
  readonly #written = new WrittenAnswers();
  /** Keys and receivers of subscriptions that are served together with equal ones. */
  readonly #joining = new WeakMap<ExecutionArgs, { key: string; receiver: Receiver }>();
  /** Operations that have led to a request, or whose refusal was reported: a subscription reports one refusal only. */
  readonly #told = new WeakSet<ExecutionArgs>();
  /** Queries under way. Those of an account take turns. */
  readonly #queries = new WeakMap<ExecutionArgs, AskedOperation>();

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
  }

  /** Checks an operation: the arguments to execute it with, or the errors to answer it with. The socket stays open. */
  async prepare(asked: AskedOperation, payload: SubscribePayload): Promise<ExecutionArgs | GraphQLError[]> {
    await this.#turns.next(asked.caller.accountId); // a piece of what comes in has many messages, which take milliseconds each
    const { query, operationName, variables } = payload;
    const { schema, schemaAnswers, limiter } = this.#deps;
    const question = schemaQuestion(query, operationName, variables);
    const known = question && schemaAnswers.known(question);
    if (known) return (await this.#refusalOfKnown(asked.caller, known)) ?? this.#answered(asked, known);
    const document = readDocument(query);
    if (document instanceof GraphQLError) return [document];
    const tooLarge = sizeErrors(schema, document);
    if (tooLarge.length > 0) return tooLarge;
    const tenths = schemaTenths(schema, document, query);
    const refusal = await schemaRefusal(limiter, asked.caller, tenths);
    if (refusal) return [tooMany(refusal)];
    const checked = await this.#check(document, operationName, asked.caller);
    if (Array.isArray(checked)) return checked;
    const ofSchema = tenths > 0 && schemaAnswers.answer({ question, document, tenths }, asked.caller.accountId);
    const made = ofSchema && (await ofSchema.catch(asRefusal));
    if (made) return made instanceof AppError ? [tooMany(made)] : this.#answered(asked, made);
    const args = this.#argsOf(asked, payload, document);
    if (checked.type === OperationTypeNode.QUERY) this.#queries.set(args, asked);
    return checked.type === OperationTypeNode.SUBSCRIPTION ? this.#lasting(args, asked, payload, checked) : args;
  }

  async #refusalOfKnown(caller: Caller, { tenths }: SchemaAnswer): Promise<GraphQLError[] | null> {
    const { limiter } = this.#deps;
    const refusal = await schemaRefusal(limiter, caller, tenths);
    if (refusal) return [tooMany(refusal)];
    const point = await takePoints(limiter, caller, 1);
    return point.allowed ? null : [tooMany(point)];
  }

  #answered({ receiver }: AskedOperation, { json }: SchemaAnswer): ExecutionArgs {
    return this.#written.operation(this.#deps.schema, () => receiver()(json.toString().trimEnd()));
  }

  async #check(
    document: DocumentNode,
    operationName: string | null | undefined,
    caller: Caller,
  ): Promise<Checked | GraphQLError[]> {
    const errors = validate(this.#deps.schema, document);
    if (errors.length > 0) return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
    const operation = getOperationAST(document, operationName);
    if (!operation) return [noSuchOperation()];
    const fields = rootFields(operation, document);
    const state = await takePoints(this.#deps.limiter, caller, fields.length);
    return state.allowed ? { document, type: operation.operation, fields } : [tooMany(state)];
  }

  #argsOf({ peer, caller }: AskedOperation, payload: SubscribePayload, document: DocumentNode): ExecutionArgs {
    const { operationName, variables } = payload;
    const onRequest = () => {
      this.#told.add(args);
      forgetLongTexts(variables); // the execution has values of its own made of them
    };
    const args: ExecutionArgs = {
      schema: this.#deps.schema,
      document,
      operationName: operationName ?? null,
      variableValues: variables ?? null,
      contextValue: { ...this.#deps.contextOf(caller), onRequest, hangUp: peer.hangUp },
    };
    return args;
  }

  /** The arguments of a subscription: its document keeps nothing of the message's text. */
  #lasting(
    args: ExecutionArgs,
    { id, peer, caller, receiver }: AskedOperation,
    { query, operationName, variables }: SubscribePayload,
    { fields }: Checked,
  ): ExecutionArgs | GraphQLError[] {
    const lasting = lastingDocument(query);
    const text = JSON.stringify([lasting, operationName ?? null, variables ?? null]);
    const kept = this.#memory.take(caller.accountId, text.length);
    if (!kept) return [tooMuchKept()];
    peer.kept.set(id, kept);
    if (SharedFeeds.canShare(fields)) {
      const key = createHash('sha256')
        .update(JSON.stringify(audienceOf(caller)))
        .update(text)
        .digest('base64');
      this.#joining.set(args, { key, receiver: receiver() });
    }
    return Object.assign(args, { document: lasting });
  }

  execute(args: ExecutionArgs) {
    const query = this.#queries.get(args);
    return query ? this.#answer(query, args) : this.#written.execute(args);
  }

  /**
   * Executes a query. A large answer goes straight to its receiver, written with turns for others; what is iterated over then
   * only ends.
   */
  async #answer({ id, caller, peer, receiver }: AskedOperation, args: ExecutionArgs) {
    const run = async () => (await this.#written.execute(args)) as ExecutionResult; // queries have one result
    const result = await this.#deps.reads.run(caller.accountId, peer.hangUp, run).catch((error) => {
      return { errors: [tooMany(asRefusal(error))] };
    });
    if (!hasLargePart(result)) return result;
    const message = await messageInTurns(id, jsonInTurns(result.errors ? this.shown(result, peer, args) : result));
    return once(() => receiver()(message));
  }

  subscribe(args: ExecutionArgs) {
    const joining = this.#joining.get(args);
    return joining ? this.#shared.join(joining.key, args, joining.receiver) : subscribe(args);
  }

  /** Logs failures of the service; the peer is told only that something failed. */
  #logged<Result extends ExecutionResult>(result: Result): Result {
    for (const thrown of thrownIn(result.errors ?? [])) logFault(this.#deps.log, asFailure(thrown));
    return result;
  }

  /** A result as the peer is shown it; its errors are logged and reported. */
  shown(result: ExecutionResult, peer: Peer | undefined, args: ExecutionArgs): ExecutionResult {
    return this.noted(shown(this.#logged(result)), peer, args);
  }

  /** Reports a result of errors alone as a refusal, unless its operation (`args`, where it was executed) has led to a request. */
  noted<Result extends ExecutionResult>(result: Result, peer: Peer | undefined, args?: ExecutionArgs): Result {
    for (const error of result.errors ?? []) this.#deps.onRefusal(codeOf(error));
    const refusal = refusalIn(result);
    if (refusal === null || !peer?.caller || (args && this.#told.has(args))) return result;
    const operation = args && getOperationAST(args.document, args.operationName);
    const engine = operation ? engineAskedFor(args.schema, operation, args.variableValues ?? {}) : null;
    this.#deps.onRefused(refusal, peer.caller, engine);
    if (args) this.#told.add(args);
    return result;
  }
}

/** Gives back what an operation of the peer has kept, once it has ended. */
export function release(peer: Peer | undefined, id: string): void {
  peer?.kept.get(id)?.release();
  peer?.kept.delete(id);
}
