import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { IncomingBody } from './incoming-body.ts';
import { paceReads } from './paced-reads.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** A body that came in whole, of which nobody holds more than this. */
async function received(req: PassThrough): Promise<WeakRef<Buffer>> {
  // A request is a stream like any other here.
  const body = new IncomingBody(req as unknown as IncomingMessage, 100_000, () => undefined);
  req.end(Buffer.alloc(100_000, 'a'));
  const bytes = await body.whole;
  expect(bytes).toHaveLength(100_000);
  return new WeakRef(bytes);
}

it('leaves the bytes to whom they were given, however long its call lasts, and a late error to nobody', async () => {
  const req = new PassThrough({ autoDestroy: false });
  const bytes = await received(req);
  await until('they are collected', () => {
    collect();
    return bytes.deref() === undefined;
  });
  req.emit('error', new Error('late'));
});

it('leaves others their turns while a large one comes in, however fast that is', async () => {
  const req = new PassThrough({ highWaterMark: 64 * 1024 });
  const body = new IncomingBody(req as unknown as IncomingMessage, 2 ** 20, () => undefined);
  const pauses = vi.spyOn(req, 'pause');
  for (let piece = 0; piece < 16; piece++) req.write(Buffer.alloc(64 * 1024, piece));
  req.end();
  const bytes = await body.whole;
  expect(pauses).toHaveBeenCalledTimes(4);
  expect(Array.from({ length: 16 }, (_, piece) => bytes[piece * 64 * 1024])).toEqual(
    Array.from({ length: 16 }, (_, piece) => piece),
  );
});

it('refuses one in tiny pieces, and notes where it came from', async () => {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '192.0.2.17' });
  const req = Object.assign(new PassThrough(), { socket });
  const body = new IncomingBody(req as unknown as IncomingMessage, Number.NaN, () => undefined);
  const refused = expect(body.whole).rejects.toThrow('in pieces of a few bytes');
  expect(paceReads(socket)).toBeNull();
  for (let n = 0; n < 5000; n++) req.write('x');
  await refused;
  expect(paceReads(socket)).not.toBeNull();
});
