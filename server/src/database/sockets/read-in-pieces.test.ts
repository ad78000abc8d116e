import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { readInPieces, WholeMessages } from './read-in-pieces.ts';

function message(letter: string, length: number): Buffer {
  const bytes = Buffer.alloc(1 + 4 + length, letter.toLowerCase());
  bytes.write(letter);
  bytes.writeUInt32BE(4 + length, 1);
  return bytes;
}

const MESSAGES = [0, 3, 70_000, 1, 200_000, 0, 0, 64 * 1024, 5].map((length, n) =>
  message('ABCDEFGHI'[n] ?? '', length),
);
const ALL = Buffer.concat(MESSAGES);
const ENDS = MESSAGES.map((_, n) => Buffer.concat(MESSAGES.slice(0, n + 1)).length);

it.each([1, 2, 3, 4, 5, 6, 7, 1000, 65_536, 1_000_000])(
  'hands on whole messages, whole and in order, of pieces of %i bytes',
  (size) => {
    const taken: Buffer[] = [];
    const messages = new WholeMessages((whole) => taken.push(Buffer.from(whole)));
    const isWhole: boolean[] = [];
    for (let at = 0; at < ALL.length; at += size) {
      const before = taken.length;
      messages.add(ALL.subarray(at, at + size));
      if (taken.length > before) isWhole.push(ENDS.includes(taken.reduce((sum, { length }) => sum + length, 0)));
    }
    expect(new Set(isWhole)).toEqual(new Set([true]));
    expect(Buffer.concat(taken).equals(ALL)).toBe(true);
  },
);

it('lets others have their turn while something long comes in', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = connect((server.address() as AddressInfo).port, '127.0.0.1'); // TCP
  const [there] = (await once(server, 'connection')) as [Socket];
  let bytes = 0;
  here.on('data', (whole: Buffer) => {
    bytes += whole.length;
  });
  readInPieces(here);
  const seen: number[] = [];
  const others = setInterval(() => undefined, 1000);
  const look = () => {
    if (seen.at(-1) !== bytes) seen.push(bytes);
    if (bytes < 40 * 100_005) setImmediate(look);
  };
  const all = Buffer.concat(Array.from({ length: 40 }, () => message('D', 100_000)));
  there.write(all);
  await until('much waits to be read', () => there.writableLength < all.length);
  look();
  await until('everything has come', () => bytes === all.length);
  clearInterval(others);
  expect(Math.max(...seen.slice(1).map((now, n) => now - (seen[n] ?? 0)))).toBeLessThan(300_000);
  here.destroy();
  there.destroy();
  server.close();
});
