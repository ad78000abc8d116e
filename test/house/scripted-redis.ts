import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server on Redis's terms that answers every command with an empty text, says nothing, or takes no connection. */
export class ScriptedRedis implements Disposable {
  readonly url: string;
  /** `absent`: it breaks off each connection. */
  behaviour: 'answers' | 'silent' | 'absent';
  /** Answers a ping as Redis does whose user may not ask for one. */
  refusesPings = false;
  /** How many connections have been made to it. */
  connections = 0;
  /** How many signs of life it was asked for. */
  pings = 0;
  readonly #close: () => void;

  private constructor(port: number, behaviour: ScriptedRedis['behaviour'], close: () => void) {
    this.url = `redis://127.0.0.1:${port}`;
    this.behaviour = behaviour;
    this.#close = close;
  }

  static async start(behaviour: ScriptedRedis['behaviour']): Promise<ScriptedRedis> {
    const sockets: Socket[] = [];
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // of a TCP server
    const redis = new ScriptedRedis(port, behaviour, () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    server.on('connection', (socket) => {
      sockets.push(socket.on('error', () => undefined)); // the client may have left
      redis.#serve(socket);
    });
    return redis;
  }

  #serve(socket: Socket): void {
    this.connections++;
    if (this.behaviour === 'absent') return void socket.resetAndDestroy();
    socket.on('data', (data) => {
      const text = data.toString();
      const commands = text.match(/\*\d+\r\n\$\d+\r\n\w+/g) ?? [];
      const pings = commands.map((command) => /ping$/i.test(command));
      this.pings += pings.filter(Boolean).length;
      if (this.behaviour !== 'answers') return;
      for (const isPing of pings) socket.write(isPing && this.refusesPings ? '-NOPERM\r\n' : '$0\r\n\r\n');
    });
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}
