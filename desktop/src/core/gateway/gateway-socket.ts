import { type Client, createClient } from 'graphql-ws/client';
import { WebSocket } from 'ws';
import type { GraphqlError, GraphqlOperation, GraphqlResult } from '../../shared/channels.ts';
import type { Gateway } from '../profiles/profile-store.ts';

const HANDSHAKE_LIMIT_MS = 10_000;
const PING_EVERY_MS = 10_000;
const PONG_LIMIT_MS = 5000;
const MOST_MESSAGE_BYTES = 8 * 1024 * 1024;

export interface SocketEvents {
  /** The gateway has taken the key. */
  onOpen(): void;
  /** The gateway has answered a ping. */
  onPong(): void;
  /** Once, and nothing after it. `code` is that of the protocol; 1006 where there was none. */
  onEnd(code: number): void;
}

export interface Sink {
  next(result: GraphqlResult): void;
  error(errors: readonly GraphqlError[]): void;
  complete(): void;
}

/** One connection for subscriptions, from its handshake to its end. It is never opened again: its owner makes a new one. */
export class GatewaySocket {
  readonly #client: Client;
  readonly #events: SocketEvents;
  #ended = false;
  #pong: NodeJS.Timeout | undefined;

  constructor({ profile, token }: Gateway, events: SocketEvents) {
    this.#events = events;
    this.#client = createClient({
      url: `${profile.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: BoundedWebSocket,
      connectionParams: token === '' ? {} : { authorization: `Bearer ${token}` },
      lazy: false,
      retryAttempts: 0,
      keepAlive: PING_EVERY_MS,
      connectionAckWaitTimeout: HANDSHAKE_LIMIT_MS,
      onNonLazyError: () => {}, // `closed` tells it
      on: {
        opened: () => this.#ask(),
        connected: () => {
          clearTimeout(this.#pong);
          events.onOpen();
        },
        ping: (received) => {
          if (!received) this.#ask();
        },
        pong: (received) => {
          if (!received) return;
          clearTimeout(this.#pong);
          events.onPong();
        },
        closed: (event) => this.#end((event as { code?: number }).code ?? 1006), // what every WebSocket gives
      },
    });
  }

  /** The returned function ends the subscription. The sink does not hear of an end of the connection: `onEnd` does. */
  subscribe({ query, variables }: GraphqlOperation, sink: Sink): () => void {
    return this.#client.subscribe(
      { query, variables },
      {
        next: (result) => sink.next(result as GraphqlResult), // GraphQL's result, as the protocol says
        error: (error) => {
          if (Array.isArray(error)) sink.error(error);
        },
        complete: () => {
          if (!this.#ended) sink.complete();
        },
      },
    );
  }

  /** Ends the connection without calling `onEnd`. */
  close(): void {
    this.#ended = true;
    clearTimeout(this.#pong);
    // Disposing waits for a handshake that may still fail, which is of no interest any more.
    Promise.resolve(this.#client.dispose()).catch(() => {});
    this.#client.terminate();
  }

  #ask(): void {
    clearTimeout(this.#pong);
    this.#pong = setTimeout(() => this.#client.terminate(), PONG_LIMIT_MS); // it froze: a sleep, a cable
  }

  #end(code: number): void {
    clearTimeout(this.#pong);
    if (this.#ended) return;
    this.#ended = true;
    Promise.resolve(this.#client.dispose()).catch(() => {}); // or it would come back by itself after code 1000
    this.#events.onEnd(code);
  }
}

class BoundedWebSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols, {
      handshakeTimeout: HANDSHAKE_LIMIT_MS,
      maxPayload: MOST_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.on('error', () => {}); // graphql-ws stops listening before a broken handshake has been told
  }
}
