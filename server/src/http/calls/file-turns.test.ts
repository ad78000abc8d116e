import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import type { AppError } from '../../platform/errors.ts';
import { FileTurns } from './file-turns.ts';

const MB = 1024 * 1024;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose answers wait until they are ended; the party is named by the path. */
async function open(turns = new FileTurns({ hasOthers: () => true })) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const app = express();
  app.use(turns.of(({ path }) => path[1] ?? ''));
  app.use(({ path }, res) => {
    begun.push(path);
    ends.set(path, () => res.end());
    if (path.endsWith('whole')) res.end(Buffer.alloc(MB));
  });
  app.use((error: AppError, _req: unknown, res: express.Response, _next: unknown) => {
    res.status(error.status).end(error.code);
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

it('sends at a rate after a burst, and is 429 where that takes too long', async () => {
  const { begun, read } = await open(new FileTurns({ hasOthers: () => true }, { burst: 1.5 * MB, perSecond: MB }));
  for (let n = 0; n < 2; n++) expect((await read('/a/whole')).status).toBe(200);
  const third = read('/a/whole'); // two megabytes have been sent, and half a one is taken for it: it waits for a second
  await until('another party is not behind it', () => read('/b/whole').then(({ ok }) => ok));
  expect(begun).toEqual(['/a/whole', '/a/whole', '/b/whole']);
  expect((await third).status).toBe(200);
  expect(begun).toHaveLength(4);
  const slow = await open(new FileTurns({ hasOthers: () => true }, { burst: MB, perSecond: 1000 }));
  for (let n = 0; n < 2; n++) await slow.read('/a/whole');
  const refused = await slow.read('/a/whole');
  expect([refused.status, await refused.text()]).toEqual([429, 'rate_limited']);
});

it('has no rate where nobody else calls', async () => {
  const { read } = await open(new FileTurns({ hasOthers: () => false }, { burst: 1, perSecond: 1 }));
  for (let n = 0; n < 3; n++) expect((await read('/a/whole')).status).toBe(200);
});
