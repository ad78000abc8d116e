import { connect, type Socket } from 'node:net';
import { aborted } from './persist.ts';

/** What a line of a gigabit brings: the loopback interface has ten times that, which no attacker has. */
const BYTES_A_MS = 100_000;

/**
 * Opens `count` connections, writes `head` on each and then nothing more; one that the other side closes is opened again,
 * at most once a second. All are destroyed when the signal aborts. What is answered is read and forgotten, or, without
 * `reading`, left where it is.
 */
export async function holdSockets(
  url: string,
  count: number,
  head: string | Buffer,
  signal: AbortSignal,
  { reading = true, onOpen }: { reading?: boolean; onOpen?: (socket: Socket) => void } = {},
): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let lineFreeAt = 0;
  /** Each as soon as the line has brought what those before it send. */
  const openInTurn = () => {
    const now = performance.now();
    lineFreeAt = Math.max(now, lineFreeAt) + head.length / BYTES_A_MS;
    setTimeout(open, lineFreeAt - now).unref();
  };
  const open = () => {
    if (signal.aborted) return;
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(head);
      onOpen?.(socket);
    });
    sockets.add(socket);
    socket.on('error', () => undefined); // 'close' follows
    if (reading) socket.resume();
    else stopReading(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(openInTurn, 1000).unref();
    });
  };
  for (let i = 0; i < count; i++) openInTurn();
  await aborted(signal);
  for (const socket of sockets) socket.destroy();
}

/** Writes these bytes over and over, as fast as they are taken. */
export function pourInto(socket: Socket, bytes: Buffer): void {
  const pour = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', pour);
  pour();
}

/** Who does not read does not see that the connection was closed; who writes is told. */
function stopReading(socket: Socket): void {
  socket.pause();
  const write = setInterval(() => socket.write('\r\n'), 500);
  socket.once('close', () => clearInterval(write));
}
