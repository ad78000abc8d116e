import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  subscribe,
  validate,
} from 'graphql';
import { CloseCode, type Context as Connection, type SubscribePayload } from 'graphql-ws';
import { type Extra as SocketExtra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/logging/log.ts';
import { forgetLongTexts } from '../platform/memory/forget-long-texts.ts';
import { lastingDocument, readDocument } from './document.ts';
import { codeOf } from './format-error.ts';
import { schemaTenths, sizeErrors } from './limits.ts';
import { asRefusal, schemaRefusal, takePoints, tooMany } from './rate-points.ts';
import { engineAskedFor, refusalIn } from './refused-calls.ts';
import { rootFields } from './root-fields.ts';
import { type SchemaAnswer, type SchemaAnswers, schemaQuestion } from './schema-answers.ts';
import { shown, toError } from './shown-result.ts';
import { audienceOf, receiverOf } from './sockets/feed-receiver.ts';
import { hangUpOfSocket } from './sockets/hang-up-of-socket.ts';
import { MessageLimiter } from './sockets/message-limiter.ts';
import { OperationMemory } from './sockets/operation-memory.ts';
import { type Receiver, SharedFeeds } from './sockets/shared-feeds.ts';
import { tooManyAtOnce, tooMuchKept } from './sockets/socket-refusals.ts';
import type { Visitor } from './sockets/socket-visitor.ts';
import { unreadSockets } from './sockets/unread-sockets.ts';
import { WrittenAnswers } from './sockets/written-answers.ts';

const INIT_LIMIT_MS = 3000;
/** How soon a socket feels that its key was revoked, besides the half second for which a key is believed. */
const CHECK_EVERY_MS = 1000;
const GOODBYE_MS = 2000;
const MOST_MESSAGE_BYTES = 1024 * 1024;
const MOST_SOCKETS_A_KEY = 100;
const MOST_OPERATIONS_A_SOCKET = 100;

export type UpgradeListener = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface Guest {
  readonly visitor: Visitor;
  credentials: string | null;
  caller: Caller | null;
  readonly hangUp: () => AbortSignal;
  /** What its subscriptions keep, by the id of the operation. */
  readonly kept: Map<string, { release(): void }>;
}

type Extra = SocketExtra & Record<PropertyKey, unknown> & { guest?: Guest };

export interface SocketsDeps {
  readonly schema: GraphQLSchema;
  readonly schemaAnswers: SchemaAnswers;
  readonly limiter: RateLimiter;
  readonly contextOf: (caller: Caller) => Context;
  /** Hears the code of every error that is answered. */
  readonly onRefusal: (code: string) => void;
  /** Hears of every operation that was answered with errors and nothing else, and of which no request came. */
  readonly onRefused: (error: AppError, caller: Caller, engine: string | null) => void;
  readonly log: Log;
}

/** GraphQL over WebSockets (graphql-transport-ws), for callers as long as they are authenticated. */
export class Sockets implements AsyncDisposable {
  readonly #deps: SocketsDeps;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    allowSynchronousEvents: false, // what came in one piece may be thousands of messages: others have turns between them
  });
  readonly #guests = new Map<WebSocket, Guest>();
  readonly #visitors = new WeakMap<IncomingMessage, Visitor>();
  readonly #memory = new OperationMemory();
  readonly #messages = new MessageLimiter();
  readonly #shared = new SharedFeeds(shown);
  readonly #written = new WrittenAnswers();
  /** Operations that are served together with others like them. */
  readonly #joining = new WeakMap<ExecutionArgs, { key: string; receiver: Receiver }>();
  /** Operations of which a request came, or whose refusal was told: of a subscription one refusal counts. */
  readonly #told = new WeakSet<ExecutionArgs>();
  readonly #timer: NodeJS.Timeout;
  #closing = false;

  constructor(deps: SocketsDeps) {
    this.#deps = deps;
    useServer<Record<string, unknown>, Extra>(
      {
        connectionInitWaitTimeout: INIT_LIMIT_MS,
        onConnect: (connection) => this.#enter(connection),
        onSubscribe: (connection, id, payload) => this.#prepare(connection, id, payload),
        execute: (args) => this.#written.execute(args),
        subscribe: (args) => this.#subscribe(args),
        onNext: ({ extra }, _id, _payload, args, result) =>
          result.errors ? this.#noted(shown(result), extra.guest, args) : undefined,
        onError: ({ extra }, _id, _payload, errors) =>
          this.#noted({ errors: errors.map((error) => toError(error as GraphQLError)) }, extra.guest).errors,
        onComplete: ({ extra }, id) => release(extra.guest, id),
        onClose: ({ extra }) => this.#leave(extra),
      },
      this.#server,
    );
    this.#timer = setInterval(() => void this.#check(), CHECK_EVERY_MS).unref();
  }

  /** Answers `Upgrade` requests for `/graphql`; `welcome` says who comes, or null for who may not. */
  upgradeListener(welcome: (req: IncomingMessage) => Visitor | null): UpgradeListener {
    return (req, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (req.url?.split('?')[0] !== '/graphql') return refuse(socket, '404 Not Found');
      if (this.#closing) return refuse(socket, '503 Service Unavailable');
      const visitor = visitorOf(req, welcome);
      if (!visitor) return refuse(socket, '403 Forbidden');
      this.#visitors.set(req, visitor);
      this.#server.handleUpgrade(req, socket, head, (open) => {
        const accountOf = () => this.#guests.get(open)?.caller?.accountId;
        const onTooMuch = () => hangUp(open, CloseCode.BadRequest, 'Too much before connection_init');
        this.#messages.bound(open, accountOf, onTooMuch);
        this.#server.emit('connection', open, req);
      });
    };
  }

  /** Takes no new peers, and asks those that are here to come again, elsewhere or later; silent ones are cut off. */
  close(): void {
    this.#closing = true;
    for (const socket of this.#server.clients) {
      socket.close(1001, 'Going away');
      setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
    }
  }

  async #enter({ connectionParams, extra }: Connection<Record<string, unknown>, Extra>): Promise<boolean> {
    const visitor = this.#visitors.get(extra.request);
    const credentials = visitor?.credentials(connectionParams ?? {}) ?? null;
    const caller = visitor && credentials !== null ? await callerOf(visitor, credentials) : null;
    if (!visitor || !caller) return false;
    if (this.#socketsOf(caller) >= MOST_SOCKETS_A_KEY) return false;
    const socket = extra.socket as WebSocket;
    extra.guest = { visitor, credentials, caller, hangUp: hangUpOfSocket(socket), kept: new Map() };
    this.#guests.set(socket, extra.guest);
    this.#messages.join(socket, caller.accountId);
    return true;
  }

  #leave({ socket, guest }: Extra): void {
    this.#guests.delete(socket as WebSocket);
    for (const id of [...(guest?.kept.keys() ?? [])]) release(guest, id);
  }

  #socketsOf({ keyId }: Caller): number {
    return [...this.#guests.values()].filter(({ caller }) => caller?.keyId === keyId).length;
  }

  /** The checks that Apollo makes over HTTP; errors are answered for the operation, and the socket stays. */
  async #prepare(
    { extra, subscriptions }: Connection<Record<string, unknown>, Extra>,
    id: string,
    { query, operationName, variables }: SubscribePayload,
  ): Promise<ExecutionArgs | GraphQLError[]> {
    const { guest } = extra;
    if (!guest?.caller) throw new Error('only who has entered subscribes');
    const { caller } = guest;
    const { schema, schemaAnswers, limiter, contextOf } = this.#deps;
    if (Object.keys(subscriptions).length > MOST_OPERATIONS_A_SOCKET) return [tooManyAtOnce(MOST_OPERATIONS_A_SOCKET)];
    const asked = schemaQuestion(query, operationName, variables);
    const answered = ({ json }: SchemaAnswer) =>
      this.#written.operation(schema, () => receiverOf(extra.socket as WebSocket, id)(json.toString().trimEnd()));
    const known = asked && schemaAnswers.known(asked);
    if (known) {
      const refusal = await schemaRefusal(limiter, caller, known.tenths);
      if (refusal) return [tooMany(refusal)];
      const point = await takePoints(limiter, caller, 1);
      return point.allowed ? answered(known) : [tooMany(point)];
    }
    const document = readDocument(query);
    if (document instanceof GraphQLError) return [document];
    const tooLarge = sizeErrors(schema, document);
    if (tooLarge.length > 0) return tooLarge;
    const tenths = schemaTenths(schema, document, query);
    const refusal = await schemaRefusal(limiter, caller, tenths);
    if (refusal) return [tooMany(refusal)];
    const errors = validate(schema, document);
    if (errors.length > 0) return [...errors];
    const operation = getOperationAST(document, operationName);
    if (!operation) return [new GraphQLError('There is no such operation in the document.')];
    const fields = rootFields(operation, document);
    const state = await takePoints(limiter, caller, fields.length);
    if (!state.allowed) return [tooMany(state)];
    const ofSchema = tenths > 0 && schemaAnswers.answer({ question: asked, document, tenths }, caller.accountId);
    const made = ofSchema && (await ofSchema.catch(asRefusal));
    if (made) return made instanceof AppError ? [tooMany(made)] : answered(made);
    const onRequest = () => {
      this.#told.add(args);
      forgetLongTexts(variables); // the execution has values of its own made of them
    };
    const args: ExecutionArgs = {
      schema,
      document,
      operationName: operationName ?? null,
      variableValues: variables ?? null,
      contextValue: { ...contextOf(caller), onRequest, hangUp: guest.hangUp },
    };
    if (operation.operation !== 'subscription') return args;
    const lasting = lastingDocument(query);
    const text = JSON.stringify([lasting, operationName ?? null, variables ?? null]);
    const kept = this.#memory.take(caller.accountId, text.length);
    if (!kept) return [tooMuchKept()];
    guest.kept.set(id, kept);
    if (SharedFeeds.canShare(fields)) {
      const key = createHash('sha256')
        .update(JSON.stringify(audienceOf(caller)))
        .update(text)
        .digest('base64');
      this.#joining.set(args, { key, receiver: receiverOf(extra.socket as WebSocket, id) });
    }
    return Object.assign(args, { document: lasting });
  }

  /** `args`: of an operation that was executed. One of which a request came is none that was refused. */
  #noted<Result extends ExecutionResult>(result: Result, guest: Guest | undefined, args?: ExecutionArgs): Result {
    for (const error of result.errors ?? []) this.#deps.onRefusal(codeOf(error));
    const refusal = refusalIn(result);
    if (refusal === null || !guest?.caller || (args && this.#told.has(args))) return result;
    const operation = args && getOperationAST(args.document, args.operationName);
    const engine = operation ? engineAskedFor(args.schema, operation, args.variableValues ?? {}) : null;
    this.#deps.onRefused(refusal, guest.caller, engine);
    if (args) this.#told.add(args);
    return result;
  }

  #subscribe(args: ExecutionArgs) {
    const joining = this.#joining.get(args);
    return joining ? this.#shared.join(joining.key, args, joining.receiver) : subscribe(args);
  }

  /** Closes the sockets whose credentials are no longer good, and those of peers that do not read. */
  async #check(): Promise<void> {
    for (const socket of unreadSockets(this.#guests)) socket.terminate();
    const asked = new Map<string, Promise<Caller | null>>();
    for (const [socket, guest] of [...this.#guests]) {
      const { visitor, credentials } = guest;
      if (credentials === null) continue;
      const asking = asked.get(credentials) ?? callerOf(visitor, credentials);
      asked.set(credentials, asking);
      void asking.then(
        (caller) => {
          guest.caller = caller;
          if (!caller) socket.close(CloseCode.Forbidden, 'The key or the session has ended');
        },
        (error: Error) => this.#deps.log.debug({ err: error.message }, 'credentials could not be checked'),
      );
    }
    await Promise.allSettled(asked.values());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }
}

/** Null for credentials that are not good; throws what is not their fault. */
async function callerOf(visitor: Visitor, credentials: string): Promise<Caller | null> {
  try {
    return await visitor.callerOf(credentials);
  } catch (error) {
    if (error instanceof AppError && error.code === 'authentication_error') return null;
    throw error;
  }
}

function visitorOf(req: IncomingMessage, welcome: (req: IncomingMessage) => Visitor | null): Visitor | null {
  try {
    return welcome(req);
  } catch {
    return null; // a Host that is none
  }
}

/** Closes a socket, and reads nothing more of it: a peer may go on sending until the connection is cut. */
function hangUp(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  socket.pause();
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\n\r\n`);
}

function release(guest: Guest | undefined, id: string): void {
  guest?.kept.get(id)?.release();
  guest?.kept.delete(id);
}
