import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { type EngineAnswer, says } from './engine-answers.ts';
import { EngineCall } from './engine-call.ts';
import { until } from './until.ts';

/** What an engine does when called: always the same, or as the call wants it; a promise holds the call until it resolves. */
export type Script = EngineAnswer | ((call: EngineCall, nth: number) => EngineAnswer | Promise<EngineAnswer>);

/** Providers under a test's control: one HTTP server that speaks chat completions for any number of engines. */
export class ScriptedEngines implements AsyncDisposable {
  readonly #server: Server;
  readonly #port: number;
  readonly #scripts = new Map<string, Script>();
  readonly #calls: EngineCall[] = [];
  readonly #running = new Map<string, number>();
  readonly #most = new Map<string, number>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<ScriptedEngines> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedEngines(server, (server.address() as AddressInfo).port); // TCP: always an AddressInfo
  }

  /** The catalogue entry of a scripted engine: 0.01 USD a page, of which the provider takes 0.004. */
  entry(id: string, more: Partial<EngineEntry> = {}): EngineEntry {
    return {
      id,
      name: `Scripted ${id}`,
      provider: `provider-of-${id}`,
      adapter: 'openai',
      base_url: `http://127.0.0.1:${this.#port}/${encodeURIComponent(id)}/v1`,
      api_key: 'provider-secret',
      model: 'scripted-1',
      price_per_page_usd: 0.01,
      provider_cost_per_page_usd: 0.004,
      max_pages_per_request: 20,
      concurrency: 64,
      ...more,
    };
  }

  /** Sets what the engine does from now on. Without a script it says `read by <id>`. */
  script(id: string, script: Script): void {
    this.#scripts.set(id, script);
  }

  /** Calls received, oldest first. */
  calls(id: string): EngineCall[] {
    return this.#calls.filter((call) => call.engine === id);
  }

  /** Forgets the calls and scripts of earlier tests. */
  reset(): void {
    this.#calls.length = 0;
    this.#scripts.clear();
    this.#most.clear();
  }

  /** Waits until the engine has been called so many times. */
  async called(id: string, times = 1): Promise<EngineCall[]> {
    return until(`${id} is called ${times} times`, () => {
      const calls = this.calls(id);
      return calls.length >= times && calls;
    });
  }

  /** The most calls that were under way at the same time since the last reset. */
  mostAtOnce(id: string): number {
    return this.#most.get(id) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = decodeURIComponent(request.url?.split('/')[1] ?? '');
    const call = await readCall(id, request);
    if (!call) return;
    this.#calls.push(call);
    const nth = this.calls(id).length;
    const running = (this.#running.get(id) ?? 0) + 1;
    this.#running.set(id, running);
    this.#most.set(id, Math.max(running, this.#most.get(id) ?? 0));
    response.once('close', () => {
      call.aborted = !response.writableFinished;
      this.#running.set(id, (this.#running.get(id) ?? 1) - 1);
    });
    const script = this.#scripts.get(id) ?? says(`read by ${id}`);
    send(response, typeof script === 'function' ? await script(call, nth) : script);
  }
}

async function readCall(id: string, request: IncomingMessage): Promise<EngineCall | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer); // a request streams Buffers
    return new EngineCall(id, request.headers, JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    return null; // the caller gave up while it was still sending: it never called
  }
}

function send(response: ServerResponse, answer: EngineAnswer): void {
  switch (answer.kind) {
    case 'silence':
      return;
    case 'break':
      response.socket?.destroy();
      return;
    case 'bytes':
      response.writeHead(answer.status, { 'content-type': 'text/html' }).end(answer.bytes);
      return;
    case 'json':
      response
        .writeHead(answer.status, {
          'content-type': 'application/json',
          'x-request-id': 'provider-1',
          ...answer.headers,
        })
        .end(JSON.stringify(answer.body));
  }
}
