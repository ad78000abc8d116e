import { connect } from 'node:net';

/** What a server wrote back on one connection, headers and body as text. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Writes the pieces to a connection as they are, one after the other, and reads until the server closes.
 * For requests that no HTTP client would send; they should say `Connection: close`.
 */
export async function rawRequest(url: string, pieces: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.on('error', () => {}); // a reset after the answer is an answer; 'close' follows
  });
  for (const piece of pieces) socket.write(piece);
  await closed;
  const text = Buffer.concat(received).toString();
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

/** Writes the pieces and hangs up without reading, once they are sent. */
export async function hangUpAfter(url: string, pieces: readonly (string | Buffer)[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}); // hanging up is the point
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  for (const piece of pieces) await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
  socket.destroy();
}
