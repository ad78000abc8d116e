import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { exchange } from './exchange.ts';

const NEVER = new AbortController().signal;
const http = new Agent({ connections: 1 });
const servers: Server[] = [];
afterAll(async () => {
  await http.destroy();
  for (const server of servers) server.close().closeAllConnections();
});

async function provider(
  answer: RequestListener,
): Promise<{ url: string; headers: Record<string, string>; body: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP server
  return { url: `http://127.0.0.1:${port}/read?model=m`, headers: { 'x-key': 'k' }, body: '{}' };
}

it('sends the call and reads the whole answer', async () => {
  const call = await provider((req, res) => {
    res.writeHead(201, { 'x-request-id': 'r1', 'set-cookie': ['a=1', 'b=2'] });
    res.write(`${req.method} ${req.url} ${req.headers['x-key']} `);
    req.pipe(res);
  });
  const answer = await exchange(http, call, NEVER);
  if (answer.kind !== 'answer') throw new Error('no answer');
  expect([answer.status, answer.text]).toEqual([201, 'POST /read?model=m k {}']);
  expect([answer.header('x-request-id'), answer.header('set-cookie'), answer.header('none')]).toEqual([
    'r1',
    'a=1',
    null,
  ]);
});

it('passes by what is said before the answer', async () => {
  const call = await provider((_req, res) => {
    res.writeProcessing();
    res.end('read');
  });
  expect(await exchange(http, call, NEVER)).toMatchObject({ status: 200, text: 'read' });
});

it('gives up a provider that says too much before its answer', async () => {
  const call = await provider((_req, res) => {
    for (let n = 0; n < 1000; n++) res.writeProcessing();
    res.end('read');
  });
  expect(await exchange(http, call, NEVER)).toMatchObject({ kind: 'no answer', billed: 'no' });
});

it('gives up an answer of more than 16 MB, and closes the connection', async () => {
  const closed = Promise.withResolvers<void>();
  const call = await provider((_req, res) => {
    res.on('close', closed.resolve);
    const piece = Buffer.alloc(1024 * 1024);
    const more = () => void (res.destroyed || res.write(piece, more));
    more();
  });
  const answer = await exchange(http, call, NEVER);
  expect(answer).toMatchObject({ kind: 'no answer', billed: 'unknown', ending: { temporary: false } });
  await closed.promise;
});

it('keeps no more of an answer in pieces of a byte than its bytes', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heldMb = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 2 ** 20;
  };
  const many = 300_000;
  const ends = Promise.withResolvers<() => void>();
  const call = await provider((_req, { socket }) => {
    socket?.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(many)}`);
    ends.resolve(() => socket?.end('0\r\n\r\n'));
  });
  let pieces = 0;
  const counting = http.compose((dispatch) => (options, handler) => {
    const take = handler.onResponseData?.bind(handler);
    handler.onResponseData = (controller, piece) => {
      pieces++;
      take?.(controller, piece);
    };
    return dispatch(options, handler);
  });
  const before = heldMb();
  const reading = exchange(counting, call, NEVER);
  const end = await ends.promise;
  await expect.poll(() => pieces).toBe(many);
  expect(heldMb() - before).toBeLessThan(8);
  end();
  expect(await reading).toMatchObject({ status: 200, text: 'x'.repeat(many) });
});

it.each(['before the answer', 'within it', 'while another call has the connection'])('is stopped %s', async (when) => {
  const asked = Promise.withResolvers<void>();
  const call = await provider((_req, res) => {
    if (when === 'within it') res.write('half');
    setImmediate(asked.resolve);
  });
  const first = new AbortController();
  const stopped = exchange(http, call, first.signal).catch((error: unknown) => error);
  await asked.promise;
  const waiting = new AbortController();
  if (when.startsWith('while')) {
    const second = exchange(http, call, waiting.signal);
    waiting.abort(new Error('the limit'));
    await expect(second).rejects.toThrow('the limit');
  }
  first.abort(new Error('the end'));
  expect(await stopped).toEqual(new Error('the end'));
});

it('is not sent after its signal has aborted', async () => {
  const call = await provider(() => expect.unreachable());
  await expect(exchange(http, call, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

it('tells a connection that broke within the answer from one that was refused', async () => {
  const call = await provider((_req, res) => {
    res.writeHead(200, { 'content-length': '10' });
    res.write('half');
    setImmediate(() => res.destroy());
  });
  expect(await exchange(http, call, NEVER)).toMatchObject({ kind: 'no answer', billed: 'unknown' });
  const nobody = { ...call, url: 'http://127.0.0.1:9/' };
  expect(await exchange(http, nobody, NEVER)).toMatchObject({ billed: 'no', ending: { temporary: true } });
  expect(await exchange(http, { ...call, url: 'nowhere' }, NEVER)).toMatchObject({ ending: { temporary: false } });
});
