import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { AppError } from '../../platform/errors.ts';
import { type BodyLimits } from './body-limits.ts';
import { BodyReceiver } from './receive-body.ts';

const MB = 1024 * 1024;
const LIMITS: BodyLimits = {
  totalBytes: 48 * MB,
  idleMs: 60_000,
  startMs: 60_000,
  bytesPerSecond: 16_384,
  waitMs: 60_000,
};
const LIMIT_BYTES = 10 * MB;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that receives every body for the party that its path names. */
async function open(limits: Partial<BodyLimits> = {}, hasOthers = () => false, onLate = async () => {}) {
  const receiver = new BodyReceiver({ ...LIMITS, ...limits }, { hasOthers });
  const ended: { party: string; size?: number; code?: string }[] = [];
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((req, res) => {
    const party = req.url ?? '';
    requests.push(req);
    receiver
      .receive(req, { party, limitBytes: LIMIT_BYTES, onLate }, (bytes) => bytes.length)
      .then(
        (size) => ended.push({ party, size }),
        (error: unknown) => ended.push({ party, code: error instanceof AppError ? error.code : String(error) }),
      )
      .finally(() => res.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    receiver[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  });
  const send = async (party: string, body: Buffer | string, length?: number): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    socket.write(`POST ${party} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
    await new Promise<void>((resolve) => socket.write(body, () => resolve()));
    return socket;
  };
  return { receiver, ended, requests, send };
}

function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

describe('the budget is freed however a body ends', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['whole', (socket) => void socket.write(Buffer.alloc(500_000))],
    ['by a hang-up', (socket) => void socket.end()],
    ['by a reset', (socket) => void socket.resetAndDestroy()],
  ])('%s', async (_how, end) => {
    const { receiver, ended, send } = await open();
    const socket = await send('/a', Buffer.alloc(500_000), 1_000_000);
    await until('the half is there', () => receiver.takenBytes === 500_000);
    end(socket);
    await until('it has ended', () => ended.length === 1);
    expect(receiver.takenBytes).toBe(0);
  });

  it('by a refusal in the middle', async () => {
    const { receiver, ended, send } = await open();
    await send('/a', chunk(Buffer.alloc(LIMIT_BYTES + 1)));
    await until('it has ended', () => ended.length === 1);
    expect(ended).toEqual([{ party: '/a', code: 'payload_too_large' }]);
    expect(receiver.takenBytes).toBe(0);
  });

  it('by a reset in the line', async () => {
    const { receiver, ended, requests, send } = await open();
    await send('/a', 'x', 9_000_000);
    await send('/b', 'x', 9_000_000);
    const third = await send('/c', 'x', 9_000_000);
    await until('all have arrived', () => requests.length === 3);
    third.resetAndDestroy();
    await until('the third has ended', () => ended.length === 1);
    expect(receiver.takenBytes).toBe(18_000_000);
    for (const req of requests) req.destroy();
    await until('all have ended', () => ended.length === 3);
    expect(receiver.takenBytes).toBe(0);
  });
});

it('has who sends judged anew for a body that was late, and uses none of whom that refuses', async () => {
  const judged: string[] = [];
  const { receiver, ended, requests, send } = await open({}, undefined, async () => {
    judged.push('anew');
    throw new AppError('authentication_error', 'The key was revoked.');
  });
  await send('/fast', 'xx', 2);
  await until('it has come', () => ended.length === 1);
  const late = await send('/late', 'x', 2);
  await until('it has begun', () => requests.length === 2);
  await sleep(600);
  expect(judged).toEqual([]);
  late.write('x');
  await until('it has ended', () => ended.length === 2);
  expect(ended).toEqual([
    { party: '/fast', size: 2 },
    { party: '/late', code: 'authentication_error' },
  ]);
  expect(judged).toEqual(['anew']);
  expect(receiver.takenBytes).toBe(0);
});

it('frees the budget of one that is given up while it stands in the line', async () => {
  const { receiver, ended, send } = await open({ startMs: 1500, bytesPerSecond: 1e9 }); // it looks every second
  const slow = await send('/c', chunk(Buffer.alloc(1000)));
  await sleep(1000);
  await Promise.all([send('/a', 'x', 9_000_000), send('/b', 'x', 9_000_000)]); // for two seconds they have the two slots
  await until('both are in', () => receiver.takenBytes === 18_001_000);
  await sleep(550); // too slow by now, which the next look finds when it waits for a slot
  slow.write(chunk(Buffer.alloc(1_500_000)));
  await until('all are given up', () => ended.length === 3);
  expect(ended.map(({ party }) => party)[0]).toBe('/c');
  expect(receiver.takenBytes).toBe(0);
});

it('lets a large body in when small ones give their bytes back', async () => {
  const { receiver, ended, requests, send } = await open(); // a party's share is 12 MB
  const small = await Promise.all(Array.from({ length: 12 }, () => send('/a', Buffer.alloc(999_999), 1_000_000)));
  await until('they are there', () => receiver.takenBytes === 12 * 999_999);
  await send('/a', Buffer.alloc(1_500_000), 1_500_000);
  await until('it waits', () => requests.length === 13);
  for (const socket of small) socket.write('x');
  await until('all are in', () => ended.length === 13);
  expect(ended.at(-1)).toEqual({ party: '/a', size: 1_500_000 });
});

it('counts a body without a length as it comes, and lets it into the line once it is large', async () => {
  const { receiver, ended, send } = await open();
  await send('/a', 'x', 9_000_000);
  await send('/b', 'x', 9_000_000);
  await until('both are in', () => receiver.takenBytes === 18_000_000);
  const growing = await send('/c', chunk(Buffer.alloc(1000)));
  await until('it is counted', () => receiver.takenBytes === 18_001_000);
  growing.write(chunk(Buffer.alloc(1_500_000)));
  growing.write('0\r\n\r\n');
  await until('it came in whole, through the line', () => ended.some(({ size }) => size === 1_501_000));
});

it('refuses a body in pieces of a few bytes, and takes one in small pieces whole', async () => {
  const { receiver, ended, send } = await open();
  const tiny = await send('/a', Buffer.from(`${'1\r\nA\r\n'.repeat(5000)}0\r\n\r\n`));
  await until('it has ended', () => ended.length === 1);
  expect(ended).toEqual([{ party: '/a', code: 'invalid_request' }]);
  tiny.destroy();
  const small = await send('/b', Buffer.from(`28\r\n${'A'.repeat(40)}\r\n`.repeat(50_000)));
  small.write('0\r\n\r\n');
  await until('it is in', () => ended.length === 2);
  expect(ended[1]).toEqual({ party: '/b', size: 2_000_000 });
  expect(receiver.takenBytes).toBe(0);
});

it('reads small pieces no faster than at the rate of their party, and those of another at once', async () => {
  const { ended, send } = await open();
  const started = performance.now();
  const small = await send('/a', Buffer.from(`28\r\n${'A'.repeat(40)}\r\n`.repeat(60_000)));
  small.write('0\r\n\r\n');
  await send('/b', Buffer.from(`28\r\n${'A'.repeat(40)}\r\n0\r\n\r\n`));
  await until('both are in', () => ended.length === 2);
  expect(ended.map(({ party }) => party)).toEqual(['/b', '/a']);
  // Beyond a burst of 16,384 pieces 20,000 a second.
  expect(performance.now() - started).toBeGreaterThan(1500);
});

it('gives a body up that is slower than the least rate, though something always comes', async () => {
  const { ended, send } = await open({ startMs: 1000, bytesPerSecond: 1_000_000 });
  const socket = await send('/a', 'x', 500_000);
  const drip = setInterval(() => socket.write('x'), 100);
  closing.push(() => clearInterval(drip));
  await until('it has ended', () => ended.length === 1);
  expect(ended).toEqual([{ party: '/a', code: 'invalid_request' }]);
});

it('refuses whom the line has kept waiting too long', async () => {
  const { ended, send } = await open({ waitMs: 300 });
  await Promise.all([1, 2, 3, 4].map(() => send('/a', 'x', 9_000_000))); // a share has room for one
  await until('those without room are refused', () => ended.length === 3);
  expect(ended.every(({ code }) => code === 'engine_unavailable')).toBe(true);
});

it('leaves small bodies their room when large ones fill theirs', async () => {
  const { ended, send } = await open();
  await Promise.all(['/a', '/b', '/c', '/d'].map((party) => send(party, 'x', 10_000_000)));
  await send('/e', 'small', 5);
  await until('the small one is in', () => ended.length === 1);
  expect(ended).toEqual([{ party: '/e', size: 5 }]);
});
