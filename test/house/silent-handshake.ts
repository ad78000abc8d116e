import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that takes connections and says nothing in their TLS handshakes. */
export class SilentHandshake implements Disposable {
  readonly url: string;
  /** What clients began their handshakes with. It is not encrypted: the protocols that they offer can be read in it. */
  readonly hellos: readonly string[];
  readonly #close: () => void;

  private constructor({ port, hellos, close }: { port: number; hellos: readonly string[]; close: () => void }) {
    this.url = `https://127.0.0.1:${port}/`;
    this.hellos = hellos;
    this.#close = close;
  }

  static async start(): Promise<SilentHandshake> {
    const sockets: Socket[] = [];
    const hellos: string[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined)); // whoever calls may hang up
      socket.once('data', (hello) => hellos.push(hello.toString('latin1')));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    const { port } = server.address() as AddressInfo; // of a TCP server
    return new SilentHandshake({ port, hellos, close });
  }

  /** Whether a client offered HTTP/2. */
  get isOfferedHttp2(): boolean {
    return this.hellos.some((hello) => hello.includes('\x02h2'));
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}
