import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireAnswer, WireCall, WireScript } from './wire-type.ts';

/** The behaviour of a provider at a call: it answers, or it deals with the connection itself. */
export type Behaviour = WireScript | { readonly handle: (response: ServerResponse) => void };

/** An HTTP server on this machine that answers every call by its script, and remembers what it was asked. */
export class ScriptedProvider implements AsyncDisposable {
  readonly calls: WireCall[] = [];
  /** Calls that asked it to delete something; they are answered apart from the script, because nobody waits for them. */
  readonly removals: WireCall[] = [];
  /** Calls whose connection closed before the answer was complete. */
  broken = 0;
  readonly #server: Server;
  #behaviours: Behaviour[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<ScriptedProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedProvider(server);
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo; // listening on TCP
    return `http://127.0.0.1:${port}`;
  }

  /** Forgets earlier calls; each call takes the next behaviour, the last one stays. */
  script(...behaviours: Behaviour[]): void {
    this.calls.length = 0;
    this.removals.length = 0;
    this.broken = 0;
    this.#behaviours = behaviours;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a request streams Buffers
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: Buffer.concat(chunks).toString(), origin: this.origin };
    if (method === 'DELETE') {
      this.removals.push(call);
      return send(response, { status: 204, body: '' });
    }
    this.calls.push(call);
    response.on('close', () => {
      if (!response.writableFinished) this.broken++;
    });
    const behaviour = this.#behaviours.length > 1 ? this.#behaviours.shift() : this.#behaviours[0];
    if (!behaviour) send(response, { status: 500, body: 'a call without a script' });
    else if (typeof behaviour === 'function') send(response, behaviour(call));
    else if ('handle' in behaviour) behaviour.handle(response);
    else send(response, behaviour);
  }
}

function send(response: ServerResponse, { status, headers, body }: WireAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
