import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, type Context as Connection, type SubscribePayload } from 'graphql-ws';
import { type Extra as SocketExtra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../accounts/callers/caller.ts';
import { API_VERSION } from '../monitoring/changelog.ts';
import { endWithError } from '../platform/connections/end-with-error.ts';
import { AppError } from '../platform/errors.ts';
import { toError } from './shown-result.ts';
import { type OperationsDeps, type Peer, release, SocketOperations } from './socket-operations.ts';
import { BoundedSocket, MOST_MESSAGE_BYTES } from './sockets/bounded-socket.ts';
import { receiverOf } from './sockets/feed-receiver.ts';
import { hangUpOfSocket } from './sockets/hang-up-of-socket.ts';
import { MessageLimiter } from './sockets/message-limiter.ts';
import { badHandshake, comeAgain, nothingAt, ofAnotherSite, tooManyAtOnce } from './sockets/socket-refusals.ts';
import type { Visitor } from './sockets/socket-visitor.ts';
import { unreadSockets } from './sockets/unread-sockets.ts';

const INIT_LIMIT_MS = 3000;
/**
 * How often credentials are checked, in ms. A revoked key is noticed after this and the half second for which a key is believed.
 */
const CHECK_EVERY_MS = 1000;
const GOODBYE_MS = 2000;
const MOST_SOCKETS_A_KEY = 100;
const MOST_OPERATIONS_A_SOCKET = 100;

export type UpgradeListener = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface ConnectedPeer extends Peer {
  readonly visitor: Visitor;
  credentials: string | null;
}

type Extra = SocketExtra & Record<PropertyKey, unknown> & { peer?: ConnectedPeer };

/** Serves GraphQL over WebSockets (graphql-transport-ws), to callers for as long as their credentials are good. */
export class Sockets implements AsyncDisposable {
  readonly #deps: OperationsDeps;
  readonly #server = new WebSocketServer({
    noServer: true,
    WebSocket: BoundedSocket,
    maxPayload: MOST_MESSAGE_BYTES,
    allowSynchronousEvents: false, // what came in one piece may be thousands of messages: others have turns between them
  });
  readonly #peers = new Map<WebSocket, ConnectedPeer>();
  readonly #visitors = new WeakMap<IncomingMessage, Visitor>();
  readonly #messages = new MessageLimiter();
  readonly #operations: SocketOperations;
  readonly #timer: NodeJS.Timeout;
  #closing = false;

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
    this.#operations = new SocketOperations(deps);
    useServer<Record<string, unknown>, Extra>(
      {
        connectionInitWaitTimeout: INIT_LIMIT_MS,
        onConnect: (connection) => this.#enter(connection),
        onSubscribe: (connection, id, payload) => this.#prepare(connection, id, payload),
        execute: (args) => this.#operations.execute(args),
        subscribe: (args) => this.#operations.subscribe(args),
        onNext: ({ extra }, _id, _payload, args, result) =>
          result.errors ? this.#operations.shown(result, extra.peer, args) : undefined,
        onError: ({ extra }, _id, _payload, errors) =>
          this.#operations.noted({ errors: errors.map((error) => toError(error as GraphQLError)) }, extra.peer).errors,
        onComplete: ({ extra }, id) => release(extra.peer, id),
        onClose: ({ extra }) => this.#leave(extra),
      },
      this.#server,
    );
    this.#server.on('wsClientError', ({ message }, socket) => refuse(socket, badHandshake(message)));
    this.#timer = setInterval(() => void this.#check(), CHECK_EVERY_MS).unref();
  }

  /** Makes the listener for `Upgrade` requests to `/graphql`. `welcome` gives the visitor, or null for one that is refused. */
  upgradeListener(welcome: (req: IncomingMessage) => Visitor | null): UpgradeListener {
    return (req, socket, head) => {
      socket.on('error', () => socket.destroy());
      const path = req.url?.split('?')[0] ?? '';
      if (path !== '/graphql') return refuse(socket, nothingAt(path));
      if (this.#closing) return refuse(socket, comeAgain());
      const visitor = visitorOf(req, welcome);
      if (!visitor) return refuse(socket, ofAnotherSite());
      this.#visitors.set(req, visitor);
      req.headers.upgrade = 'websocket'; // it may have been one of a list
      this.#server.handleUpgrade(req, socket, head, (open) => {
        const accountOf = () => this.#peers.get(open)?.caller?.accountId;
        const onTooMuch = () => hangUp(open, CloseCode.BadRequest, 'Too much before connection_init');
        this.#messages.bound(open, accountOf, onTooMuch);
        this.#server.emit('connection', open, req);
      });
    };
  }

  /**
   * Takes no new peers, and asks the present ones to connect again, elsewhere or later. Peers that do not answer are cut off
   * after two seconds.
   */
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
    extra.peer = { visitor, credentials, caller, hangUp: hangUpOfSocket(socket), kept: new Map() };
    this.#peers.set(socket, extra.peer);
    this.#messages.join(socket, caller.accountId);
    return true;
  }

  async #prepare(
    { extra, subscriptions }: Connection<Record<string, unknown>, Extra>,
    id: string,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | GraphQLError[]> {
    const { peer, socket } = extra;
    if (!peer?.caller) throw new Error('a peer subscribes that has not authenticated');
    if (Object.keys(subscriptions).length > MOST_OPERATIONS_A_SOCKET) return [tooManyAtOnce(MOST_OPERATIONS_A_SOCKET)];
    const { caller } = peer;
    return this.#operations.prepare({ id, peer, caller, receiver: () => receiverOf(socket as WebSocket, id) }, payload);
  }

  #leave({ socket, peer }: Extra): void {
    this.#peers.delete(socket as WebSocket);
    for (const id of [...(peer?.kept.keys() ?? [])]) release(peer, id);
  }

  #socketsOf({ keyId }: Caller): number {
    return [...this.#peers.values()].filter(({ caller }) => caller?.keyId === keyId).length;
  }

  /** Closes sockets whose credentials are no longer good, and those of peers that do not read. */
  async #check(): Promise<void> {
    for (const socket of unreadSockets(this.#peers)) socket.terminate();
    const asked = new Map<string, Promise<Caller | null>>();
    for (const [socket, peer] of [...this.#peers]) {
      const { visitor, credentials } = peer;
      if (credentials === null) continue;
      const asking = asked.get(credentials) ?? callerOf(visitor, credentials);
      asked.set(credentials, asking);
      void asking.then(
        (caller) => {
          peer.caller = caller;
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

/** The caller with these credentials; null where they are not good. Throws other failures. */
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

/** Closes a socket and stops reading from it: its peer may go on sending until the connection is cut. */
function hangUp(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  socket.pause();
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
}

function refuse(socket: Duplex, error: AppError): void {
  endWithError(socket, error, { 'X-API-Version': API_VERSION });
}
