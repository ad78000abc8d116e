import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from './until.ts';

/** What came for one operation. */
export interface Operation {
  readonly id: string;
  readonly events: unknown[];
  /** The codes of its errors; null while there is none. */
  codes: (string | undefined)[] | null;
  completed: boolean;
}

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

type Failure = { extensions?: { code?: string } };

/** A client of graphql-transport-ws that shows every message and the way its socket ended. */
export class Socket implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #operations = new Map<string, Operation>();
  #acknowledged = false;
  closeCode: number | null = null;
  closeReason = '';

  constructor(address: string, headers: Record<string, string> = {}) {
    this.#socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    this.#socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    this.#socket.on('close', (code, reason) => {
      this.closeCode = code;
      this.closeReason = String(reason);
    });
    this.#socket.on('error', () => undefined); // a refused handshake ends as 1006
  }

  /** Says who it is, and waits for the acknowledgement or the end. */
  async enter(payload: object = {}): Promise<this> {
    await this.opened();
    this.send({ type: 'connection_init', payload });
    await until('the socket is acknowledged or closed', () => this.#acknowledged || this.closeCode !== null);
    return this;
  }

  async opened(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING)
      await Promise.race([once(this.#socket, 'open'), this.closed()]);
  }

  /** Waits until the socket is closed; how it was closed. */
  async closed(): Promise<number> {
    await until('the socket is closed', () => this.closeCode !== null);
    return this.closeCode ?? 0;
  }

  send(message: Message): void {
    this.#socket.send(JSON.stringify(message));
  }

  subscribe(query: string, variables: object = {}): Operation {
    const id = String(this.#operations.size + 1);
    const operation: Operation = { id, events: [], codes: null, completed: false };
    this.#operations.set(id, operation);
    this.send({ type: 'subscribe', id, payload: { query, variables } });
    return operation;
  }

  /** Runs an operation that ends by itself, and waits for its end. */
  answered(query: string, variables: object = {}): Promise<Operation> {
    return this.ended(this.subscribe(query, variables));
  }

  /** Waits until an operation has ended, or the whole socket. */
  async ended(operation: Operation): Promise<Operation> {
    await until('the operation ends', () => operation.completed || operation.codes || this.closeCode !== null);
    return operation;
  }

  /** Asks for no more of an operation. */
  complete({ id }: Operation): void {
    this.send({ type: 'complete', id });
  }

  #take({ type, id, payload }: Message): void {
    if (type === 'connection_ack') this.#acknowledged = true;
    const operation = this.#operations.get(id ?? '');
    if (!operation) return;
    if (type === 'complete') operation.completed = true;
    if (type === 'error') operation.codes = codesOf(payload as Failure[]); // what the protocol says it is
    if (type !== 'next') return;
    const { data, errors } = payload as { data?: unknown; errors?: Failure[] }; // a GraphQL result
    if (errors) operation.codes = codesOf(errors);
    else operation.events.push(data);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
  }
}

function codesOf(errors: readonly Failure[]): (string | undefined)[] {
  return errors.map(({ extensions }) => extensions?.code);
}

/** A socket at the API's address, entered with a key. */
export function socketOf(url: string, apiKey: string): Promise<Socket> {
  return new Socket(url).enter({ authorization: `Bearer ${apiKey}` });
}
