import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type OtlpSpan, readOtlp } from './read-otlp.ts';
import { until } from './until.ts';

/** An OpenTelemetry collector that takes OTLP over HTTP, and keeps what it is sent. */
export class TraceCollector implements AsyncDisposable {
  readonly #server: Server;
  readonly #spans: OtlpSpan[] = [];
  readonly #headers: IncomingMessage['headers'][] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TraceCollector(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // TCP: always an AddressInfo
  }

  /** The headers of each export. */
  get headers(): readonly IncomingMessage['headers'][] {
    return this.#headers;
  }

  /** The spans of a trace, as soon as it has at least so many of each name. */
  whole(traceId: string, names: Readonly<Record<string, number>>): Promise<OtlpSpan[]> {
    return until(`the trace has ${JSON.stringify(names)}`, () => {
      const spans = this.#spans.filter((span) => span.traceId === traceId);
      const counts = Object.entries(names).map(([name, count]) => spans.filter((s) => s.name === name).length >= count);
      return counts.every(Boolean) && spans;
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#headers.push(request.headers);
    this.#spans.push(...readOtlp(await buffer(request)).flatMap(({ spans }) => spans));
    response.setHeader('content-type', 'application/x-protobuf').end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}
