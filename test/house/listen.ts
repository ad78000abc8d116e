import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bare server on this machine that counts who came. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Connections, whether or not they asked for anything. */
  readonly hits: number;
}

/** Listens on a free port: of 127.0.0.1, or of every address, IPv6 included where the machine has it. */
export async function listen(
  answer: RequestListener,
  host: '127.0.0.1' | 'everywhere' = '127.0.0.1',
): Promise<Listening> {
  const server = createServer(answer);
  let hits = 0;
  server.on('connection', () => hits++);
  if (host === 'everywhere') server.listen(0);
  else server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // TCP: always an AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get hits() {
      return hits;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
