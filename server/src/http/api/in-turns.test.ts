import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { ReadTurns } from '../../platform/concurrency/read-turns.ts';
import { inTurns } from './in-turns.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose answers wait until they are ended; the party is named by the path. */
async function open() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const app = express();
  app.use(inTurns(new ReadTurns({ hasOthers: () => true }), ({ path }) => path[1] ?? ''));
  app.use(({ path }, res) => {
    begun.push(path);
    ends.set(path, () => res.end());
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // listening on TCP
  const read = (path: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${path}`, signal ? { signal } : {});
  return { begun, read, end: (path: string) => ends.get(path)?.() };
}

it('begins those of a party one after the other, a tenth of a second after the one before at the latest', async () => {
  const { begun, read, end } = await open();
  const first = read('/a1');
  await until('it has begun', () => begun.length === 1);
  const began = performance.now();
  const others = [read('/a2'), read('/b1')];
  await until('another party is not behind it', () => begun.includes('/b1'));
  expect(begun).not.toContain('/a2');
  await until('neither is the next one for long', () => begun.includes('/a2'));
  expect(performance.now() - began).toBeGreaterThan(50);
  for (const path of ['/a1', '/a2', '/b1']) end(path);
  expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual([200, 200, 200]);
});

it('goes on at once behind who has left', async () => {
  const { begun, read, end } = await open();
  const gone = new AbortController();
  const first = read('/a1', gone.signal).catch(() => null);
  await until('it has begun', () => begun.length === 1);
  gone.abort();
  await first;
  const second = read('/a2');
  await until('the next one has begun', () => begun.includes('/a2'));
  end('/a2');
  expect((await second).status).toBe(200);
});
