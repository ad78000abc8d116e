import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Frame, readFrames, writeFrame } from './frames.ts';

let writing: Socket;
let reading: Socket;
let read: Frame[];

beforeEach(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  writing = connect(server.address() as { port: number });
  [reading] = (await once(server, 'connection')) as [Socket];
  server.close();
  read = [];
  readFrames(reading, (frame) => read.push(frame));
});

afterEach(() => {
  writing.destroy();
  reading.destroy();
});

function lengths(head: number, bytes: number): Buffer {
  const both = Buffer.alloc(8);
  both.writeUInt32LE(head, 0);
  both.writeUInt32LE(bytes, 4);
  return both;
}

it('hands over frames as they were written, however they come', async () => {
  writeFrame(writing, { kind: 'one' }, Buffer.alloc(300_000, 'a'));
  writeFrame(writing, { kind: 'two' });
  await expect.poll(() => read.length).toBe(2);
  expect(read.map(({ head, bytes }) => [head, bytes.length])).toEqual([
    [{ kind: 'one' }, 300_000],
    [{ kind: 'two' }, 0],
  ]);
});

it.each([
  ['a head that is not JSON', Buffer.concat([lengths(4, 0), Buffer.from('what')])],
  ['a head without end', lengths(2 ** 32 - 1, 0)],
  ['bytes without end', lengths(2, 2 ** 32 - 1)],
])('closes a pipe on which comes %s', async (_what, bytes) => {
  const failures: string[] = [];
  reading.on('error', ({ message }) => failures.push(message));
  writing.write(bytes);
  await expect.poll(() => failures).toEqual([expect.stringContaining('no frame')]);
  expect(reading.destroyed).toBe(true);
  expect(read).toEqual([]);
});
