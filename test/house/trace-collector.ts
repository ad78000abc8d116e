import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { until } from './until.ts';

/** A span as OTLP has it in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[];
}

/** An OpenTelemetry collector that takes OTLP over HTTP, and keeps what it is sent. */
export class TraceCollector implements AsyncDisposable {
  readonly #server: Server;
  readonly #spans: CollectedSpan[] = [];
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
  whole(traceId: string, names: Readonly<Record<string, number>>): Promise<CollectedSpan[]> {
    return until(`the trace has ${JSON.stringify(names)}`, () => {
      const spans = this.#spans.filter((span) => span.traceId === traceId);
      const counts = Object.entries(names).map(([name, count]) => spans.filter((s) => s.name === name).length >= count);
      return counts.every(Boolean) && spans;
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#headers.push(request.headers);
    const { resourceSpans } = (await json(request)) as Export; // as the exporter writes it
    this.#spans.push(...resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap(({ spans }) => spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}
