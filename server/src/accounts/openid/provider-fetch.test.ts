import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { patientFetch, providerFetch } from './provider-fetch.ts';

let answer: RequestListener = (_req, res) => void res.end();
const server = createServer((req, res) => answer(req, res)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // TCP: always an AddressInfo
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('hands an answer on, and follows no redirect', async () => {
  answer = (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
  const reply = await providerFetch(url, {});
  expect([reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([
    200,
    'application/json',
    { a: 1 },
  ]);
  answer = (_req, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  expect((await providerFetch(url, {})).status).toBe(302);
  answer = (_req, res) => res.writeHead(204).end();
  expect((await providerFetch(url, {})).status).toBe(204);
});

it('reads no endless answer', async () => {
  answer = (_req, res) => {
    res.writeHead(200);
    const write = () => !res.destroyed && res.write(Buffer.alloc(65_536, 32), () => setImmediate(write));
    write();
  };
  await expect(providerFetch(url, {})).rejects.toThrow(/more than 524288 bytes/);
});

it('waits for nobody who has just failed, and asks again when the time has come', async () => {
  let now = 0;
  const asked: string[] = [];
  let status = 500;
  const fetch = patientFetch(
    async (address) => {
      asked.push(address);
      if (status === 0) throw new Error('nobody there');
      return new Response('{}', { status });
    },
    1000,
    () => now,
  );
  await expect(fetch('a', {})).rejects.toThrow('a answered 500');
  await expect(fetch('a', {})).rejects.toThrow('a answered 500');
  status = 0;
  await expect(fetch('b', {})).rejects.toThrow('nobody there');
  await expect(fetch('b', {})).rejects.toThrow('nobody there');
  expect(asked).toEqual(['a', 'b']);
  status = 200;
  now = 1000;
  expect((await fetch('a', {})).status).toBe(200);
  expect((await fetch('a', {})).status).toBe(200);
  expect(asked).toEqual(['a', 'b', 'a', 'a']);
});
