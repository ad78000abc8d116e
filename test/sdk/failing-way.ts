import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way to the gateway on which POST /v1/ocr fails twice for each key: it is put off, or its answer is lost. */
export class FailingWay implements AsyncDisposable {
  readonly #server: Server;
  readonly #failures = new Map<string, number>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(url: string, how: 'busy' | 'broken'): Promise<FailingWay> {
    const server = createServer();
    const way = new FailingWay(server);
    server.on('request', (req, res) => {
      const to = request(url + req.url, { method: req.method, headers: req.headers }, (answer) => {
        if (how === 'broken' && way.#fails(req.headers['idempotency-key'])) {
          answer.resume().once('end', () => res.destroy()); // it was done, and nobody hears of it
          return;
        }
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      to.on('error', () => res.destroy());
      if (how === 'busy' && way.#fails(req.headers['idempotency-key'])) {
        to.destroy();
        req.resume().once('end', () => {
          const body = JSON.stringify({
            error: { code: 'engine_unavailable', message: 'Busy.' },
            retry_after_seconds: 1,
          });
          res.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
        });
        return;
      }
      req.pipe(to);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // TCP: always an AddressInfo
  }

  #fails(key: string | string[] | undefined): boolean {
    if (typeof key !== 'string') return false;
    const before = this.#failures.get(key) ?? 0;
    this.#failures.set(key, before + 1);
    return before < 2;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}
