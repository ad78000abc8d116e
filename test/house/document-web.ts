import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one address of the web answers with. */
export type WebPage =
  | { readonly bytes: Buffer | string; readonly type?: string; readonly status?: number }
  | { readonly location: string; readonly status?: number }
  /** Sends without end until the reader hangs up. */
  | { readonly endless: true }
  /** Breaks the connection before the first byte. */
  | { readonly broken: true };

/** A web server for documents, under a test's control; it counts who came. */
export class DocumentWeb implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #pages = new Map<string, WebPage>();
  readonly #hits: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port; // TCP: always an AddressInfo
    server.on('request', (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      this.#hits.push(path);
      serve(response, this.#pages.get(path));
    });
  }

  static async start(): Promise<DocumentWeb> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DocumentWeb(server);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Puts something at a path and returns its address. */
  put(path: string, page: WebPage): string {
    this.#pages.set(path, page);
    return this.url + path;
  }

  /** The paths that were asked for, oldest first. */
  get hits(): readonly string[] {
    return this.#hits;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}

function serve(response: ServerResponse, page: WebPage | undefined): void {
  if (!page) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('no such document');
  } else if ('location' in page) {
    response.writeHead(page.status ?? 302, { location: page.location }).end();
  } else if ('broken' in page) {
    response.socket?.destroy();
  } else if ('endless' in page) {
    response.writeHead(200, { 'content-type': 'image/png' });
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  } else {
    response.writeHead(page.status ?? 200, { 'content-type': page.type ?? 'application/octet-stream' }).end(page.bytes);
  }
}
