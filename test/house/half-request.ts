import { connect, type Socket } from 'node:net';

/** A connection that has sent a part of a request, and waits. */
export interface HalfRequest {
  readonly socket: Socket;
  /** What came back so far. */
  text(): string;
  /** The server has ended the connection. */
  ended(): boolean;
}

/** Opens a connection, sends what it is given, and leaves it at that. The connection ends with the test's own `destroy`. */
export async function halfRequest(url: string, head: readonly string[], body = Buffer.alloc(0)): Promise<HalfRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  let ended = false;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => {}); // being thrown out is what some of them wait for
  socket.on('close', () => (ended = true));
  socket.on('end', () => (ended = true));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  await new Promise<void>((resolve) => socket.write(head.join('\r\n'), () => resolve()));
  if (body.length > 0) await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return { socket, text: () => text, ended: () => ended };
}

/** The head of a call with a JSON body of which the rest is said to follow. */
export function postHead(path: string, { apiKey, length }: { apiKey?: string; length: number }): string[] {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    'Origin: http://localhost',
    'Sec-Fetch-Site: same-origin',
    ...(apiKey === undefined ? [] : [`Authorization: Bearer ${apiKey}`]),
    'Idempotency-Key: k',
    `Content-Length: ${length}`,
    '',
    '',
  ];
}
