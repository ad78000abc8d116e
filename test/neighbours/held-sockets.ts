import { connect, type Socket } from 'node:net';
import { aborted } from './persist.ts';

/**
 * Opens `count` connections, writes `head` on each and then nothing more; one that the other side closes is opened again,
 * at most once a second. All are destroyed when the signal aborts.
 */
export async function holdSockets(
  url: string,
  count: number,
  head: string | Buffer,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const open = () => {
    if (signal.aborted) return;
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(head));
    sockets.add(socket);
    socket.on('error', () => undefined); // 'close' follows
    socket.on('data', () => undefined); // an answer is read and forgotten
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(open, 1000).unref();
    });
  };
  for (let i = 0; i < count; i++) open();
  await aborted(signal);
  for (const socket of sockets) socket.destroy();
}
