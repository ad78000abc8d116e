import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER = JSON.stringify({
  model: 'bench',
  choices: [{ message: { role: 'assistant', content: 'A line of text.' }, finish_reason: 'stop' }],
});

/** An engine in the bench's own process: it answers at once, and tells when a call has reached it. */
export class Arrivals implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  #arrived: (atMs: number) => void = () => undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  static async open(): Promise<Arrivals> {
    const server = createServer();
    const arrivals = new Arrivals(await listening(server));
    server.on('request', (request, response) => {
      arrivals.#arrived(performance.now());
      request.resume();
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER));
    });
    return arrivals;
  }

  /** Milliseconds from now until the next call arrives. */
  async next(): Promise<number> {
    const begun = performance.now();
    return (await new Promise<number>((resolve) => (this.#arrived = resolve))) - begun;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
