import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UpgradeListener } from '../../graphql/sockets.ts';
import { type PacedReads, paceReads } from '../../rest/body/paced-reads.ts';

/** How long answers that are on their way may take at a stop, once the work behind them has ended. */
const CLOSE_LIMIT_MS = 3000;

/** An HTTP server and the sockets that were upgraded on it, which the server itself no longer knows. */
export class Listener {
  readonly #server: Server;
  readonly #upgraded = new Set<Duplex>();
  readonly #paced = new WeakMap<Duplex, PacedReads>();

  constructor(server: Server, sockets: UpgradeListener | null) {
    this.#server = server;
    server.on('connection', (socket) => {
      const paced = paceReads(socket);
      if (paced) this.#paced.set(socket, paced);
    });
    if (!sockets) return;
    server.on('upgrade', (req, socket, head) => {
      this.#upgraded.add(socket);
      socket.once('close', () => this.#upgraded.delete(socket));
      const rest = this.#paced.get(socket)?.release();
      sockets(req, socket, rest ? Buffer.concat([head, rest]) : head);
    });
  }

  /** Takes no new connections; idle ones end at once, those at work when their answer is out, all when time is up. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      // A connection becomes idle when its answer is out, which the server does not notice by itself.
      const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
      const late = setTimeout(() => {
        this.#server.closeAllConnections();
        for (const socket of this.#upgraded) socket.destroy();
      }, CLOSE_LIMIT_MS);
      this.#server.close(() => {
        clearInterval(idle);
        clearTimeout(late);
        resolve();
      });
    });
  }
}
