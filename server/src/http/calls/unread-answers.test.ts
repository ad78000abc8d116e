import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { UnreadAnswers, type UnreadLimits } from './unread-answers.ts';

const MB = 1024 * 1024;
const ANSWER = Buffer.alloc(8 * MB);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Answers every call at once, for the party that its path names. */
async function open(limits: UnreadLimits) {
  const unread = new UnreadAnswers(limits);
  const server = createServer((req, res) => {
    unread.watch(res, () => req.url ?? '');
    res.end(ANSWER);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    unread[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Ports of those who read nothing, and how many of their connections have ended: connections of who reads end when they idle. */
  const silent = new Set<number | undefined>();
  let ended = 0;
  let sockets = 0;
  server.on('connection', (socket) => {
    sockets++;
    const port = socket.remotePort;
    socket.once('close', () => (ended += Number(silent.has(port))));
  });
  const ask = async (party: string): Promise<void> => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    closing.push(() => socket.destroy());
    const before = sockets;
    socket.write(`GET ${party} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => sockets).toBe(before + 1);
    silent.add(socket.localPort);
  };
  const read = (party: string) => fetch(`http://127.0.0.1:${port}${party}`).then((answer) => answer.arrayBuffer());
  return { ask, read, ended: () => ended };
}

it('a party that leaves more than its share unread loses the oldest, and who reads loses nothing', async () => {
  const { ask, read, ended } = await open({ totalBytes: 80 * MB });
  for (let i = 0; i < 5; i++) await ask('/a');
  await ask('/b');
  // Of 20 MB two answers are left, of which the system's buffers hold a part.
  await expect.poll(ended, { timeout: 5000 }).toBe(3);
  // Within its share at each moment, however slowly it reads; far more than it in all.
  for (let i = 0; i < 3; i++) {
    const bodies = await Promise.all([read('/c'), read('/c')]);
    expect(bodies.map(({ byteLength }) => byteLength)).toEqual([ANSWER.length, ANSWER.length]);
  }
  await new Promise((resolve) => setTimeout(resolve, 1200)); // two more looks
  expect(ended()).toBe(3);
});

it('all parties together leave no more unread than the whole', async () => {
  const { ask, ended } = await open({ totalBytes: 32 * MB });
  for (const party of ['/a', '/b', '/c', '/d', '/e', '/f']) await ask(party);
  await expect.poll(ended, { timeout: 5000 }).toBeGreaterThanOrEqual(1);
});

it('an answer that nobody reads is given up when its time is over', async () => {
  const { ask, ended } = await open({ totalBytes: 800 * MB, longestMs: () => 600 });
  await ask('/a');
  await expect.poll(ended, { timeout: 5000 }).toBe(1);
});
