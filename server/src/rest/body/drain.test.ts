import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { drain } from './drain.ts';
import { paceReads } from './paced-reads.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** What has been read away of a body in such chunks, that has no end, when its connection has been closed. */
async function drained(chunk: Buffer): Promise<{ pieces: number; bytes: number }> {
  const seen = { pieces: 0, bytes: 0 };
  const server = createServer((req) => {
    drain(req);
    req.on('data', (piece: Buffer) => {
      seen.pieces++;
      seen.bytes += piece.length;
    });
  }).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await until('it listens', () => server.listening);
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  const many = Buffer.concat(Array.from({ length: Math.ceil(60_000 / framed.length) }, () => framed));
  const pour = () => {
    while (socket.writable && socket.write(many));
  };
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.on('drain', pour);
  pour();
  await until('it is closed', () => socket.destroyed);
  return seen;
}

it('reads little away of a body in tiny pieces, each of which costs, and much of one in such as networks make', async () => {
  // What one look at a connection brings is read whatever it is: ten thousand pieces of a byte.
  expect((await drained(Buffer.alloc(1))).pieces).toBeLessThan(16_000);
  expect((await drained(Buffer.alloc(1400))).bytes).toBeGreaterThan(6_000_000);
  expect((await drained(Buffer.alloc(60_000))).bytes).toBeGreaterThan(35_000_000);
});

it('notes where tiny pieces came from', async () => {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '2001:db8::17' });
  const req = Object.assign(new PassThrough(), { socket });
  drain(req as unknown as IncomingMessage);
  for (let n = 0; n < 400; n++) req.write('x');
  await until('it stands still', () => req.isPaused());
  expect(paceReads(socket)).not.toBeNull();
  req.destroy();
});
