import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on loopback until the signal aborts; the address of a document there. */
export async function listenWhile(server: Server, signal: AbortSignal): Promise<string> {
  server.on('connection', (socket) => socket.on('error', () => undefined)); // who asked has hung up
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  signal.addEventListener('abort', () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/document.png`; // TCP: always an AddressInfo
}
