import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { until } from './until.ts';

/** What a receiver does with one POST. */
type ReceiverAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Takes the body and never answers. */
  | 'hang'
  /** Takes the body and breaks the connection. */
  | 'reset'
  /** 200, and a body without end. */
  | 'endless body'
  /** The head of an answer, a byte at a time. */
  | 'drip';

/** One POST as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Milliseconds of a clock that only rises. */
  readonly at: number;
}

type Script = ReceiverAnswer | ((nth: number, received: Received) => ReceiverAnswer | Promise<ReceiverAnswer>);

const OK: ReceiverAnswer = { status: 200, body: 'ok' };
const DRIP_MS = 20;

/** A caller's web server for webhooks, under a test's control: one address a path. It answers 200 unless told otherwise. */
export class WebhookReceiver implements AsyncDisposable {
  readonly #server: Server;
  readonly #scripts = new Map<string, Script>();
  readonly #received: Received[] = [];
  #running = 0;
  #mostAtOnce = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookReceiver(server);
  }

  /** The address of a path, with what happens there from now on. */
  at(path: string, script: Script = OK): string {
    this.#scripts.set(path, script);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`; // TCP: always an AddressInfo
  }

  /** What came to a path, oldest first. */
  received(path: string): readonly Received[] {
    return this.#received.filter((each) => each.path === path);
  }

  /** Waits until so many POSTs have come to a path. */
  async gets(path: string, times = 1): Promise<readonly Received[]> {
    return until(`${path} gets ${times} webhooks`, () => {
      const received = this.received(path);
      return received.length >= times && received;
    });
  }

  /** The most POSTs that were unanswered at the same time. */
  get mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    this.#running += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#running);
    response.once('close', () => {
      this.#running -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a request streams Buffers
    const received = { path, headers: request.headers, bytes: Buffer.concat(chunks), at: performance.now() };
    this.#received.push(received);
    const script = this.#scripts.get(path) ?? OK;
    answer(response, typeof script === 'function' ? await script(this.received(path).length, received) : script);
  }
}

/** The body, once the reference implementation of Standard Webhooks has found its signature good; throws otherwise. */
export function verified(received: Received, secret: string): Record<string, unknown> {
  const headers = Object.fromEntries(Object.entries(received.headers).map(([name, value]) => [name, String(value)]));
  return new Webhook(secret).verify(received.bytes.toString(), headers) as Record<string, unknown>; // our bodies are objects
}

function answer(response: ServerResponse, how: ReceiverAnswer): void {
  if (how === 'reset') response.socket?.destroy();
  else if (how === 'endless body') endless(response);
  else if (how === 'drip') drip(response);
  else if (how !== 'hang') response.writeHead(how.status, how.headers).end(how.body);
}

function endless(response: ServerResponse): void {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse): void {
  const head = `HTTP/1.1 200 OK\r\nX-Slow: ${'a'.repeat(10_000)}`;
  let sent = 0;
  const timer = setInterval(() => response.socket?.write(head.charAt(sent++)), DRIP_MS);
  response.once('close', () => clearInterval(timer));
}
