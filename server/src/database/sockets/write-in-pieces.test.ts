import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { writeInPieces } from './write-in-pieces.ts';

async function pair(): Promise<{ here: Socket; there: Socket; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [there] = (await once(server, 'connection')) as [Socket];
  writeInPieces(here);
  return { here, there, close: () => server.close() };
}

it('keeps the order of what is long and of what follows it, and lets others have their turn in between', async () => {
  const { here, there, close } = await pair();
  const long = Buffer.from(Array.from({ length: 300_000 }, (_, n) => `${n};`).join(''));
  const order: string[] = [];
  here.cork();
  here.write('first ');
  here.write(long, () => order.push('long'));
  here.write(' between ');
  here.write(long);
  here.write(' last', () => here.end());
  here.uncork();
  setImmediate(() => setImmediate(() => setImmediate(() => order.push('another'))));
  const got = (await buffer(there)).toString();
  expect(got === `first ${long} between ${long} last`).toBe(true);
  expect(order).toEqual(['another', 'long']);
  close();
});

it('keeps the order of what is written while the end of something long goes out', async () => {
  const { here, there, close } = await pair();
  const expected: string[] = [];
  for (let n = 0; n < 40; n++) {
    const text = n % 3 === 0 ? `${n} `.repeat(60_000) : `${n};`;
    expected.push(text);
    here.write(Buffer.from(text));
    await new Promise(n % 2 === 0 ? setImmediate : process.nextTick);
  }
  here.write('end', () => here.end());
  expect((await buffer(there)).toString() === `${expected.join('')}end`).toBe(true);
  close();
});

it('tells those who wait that the connection is closed', async () => {
  const { here, there, close } = await pair();
  const told = new Promise((resolve) => here.write(Buffer.alloc(50_000_000), resolve));
  const alsoTold = new Promise((resolve) => here.write('x', resolve));
  here.on('error', () => undefined);
  there.destroy();
  expect(await told).toBeInstanceOf(Error);
  expect(await alsoTold).toBeInstanceOf(Error);
  close();
});
