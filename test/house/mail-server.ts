import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { until } from './until.ts';

/** A message as it came. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header lines and body, as they were sent. */
  readonly content: string;
}

/** A mail server under a test's control: it takes everything, but mail to addresses that begin with `refused`. */
export class MailServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly received: ReceivedMail[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => void this.#talk(socket));
  }

  static async start(): Promise<MailServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new MailServer(server);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // TCP: always an AddressInfo
  }

  /** Waits until so many messages have come. */
  gets(times: number): Promise<readonly ReceivedMail[]> {
    return until(`the mail server gets ${times} messages`, () => this.received.length >= times && this.received);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server.close(), 'close');
  }

  async #talk(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('error', () => undefined); // whoever sends may hang up
    socket.once('close', () => this.#sockets.delete(socket));
    socket.write('220 test\r\n');
    let mail = { from: '', to: [] as string[] };
    let content: string[] | null = null;
    for await (const line of createInterface({ input: socket })) {
      if (content !== null) {
        if (line !== '.') content.push(line);
        else {
          this.received.push({ ...mail, content: content.join('\n') });
          content = null;
          socket.write('250 taken\r\n');
        }
        continue;
      }
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'MAIL') mail = { from: address, to: [] };
      if (verb === 'RCPT' && !address.startsWith('refused')) mail.to.push(address);
      if (verb === 'DATA') content = [];
      if (verb === 'QUIT') socket.end('221 bye\r\n');
      else socket.write(answerTo(verb, address));
    }
  }
}

function answerTo(verb: string, address: string): string {
  if (verb === 'DATA') return '354 go on\r\n';
  return verb === 'RCPT' && address.startsWith('refused') ? '550 nobody here\r\n' : '250 ok\r\n';
}
