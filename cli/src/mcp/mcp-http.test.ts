import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, expect, it } from 'vitest';
import { mcpHttp } from './mcp-http.ts';

const MEGABYTE = 1024 * 1024;
const stack = new AsyncDisposableStack();
const opened: Socket[] = [];
afterAll(() => stack.disposeAsync());
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

const headers = {
  authorization: 'Bearer a-key',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return (server.address() as AddressInfo).port; // TCP
}

/** The server of tools, before a gateway that answers as told. */
async function open(gateway: RequestListener = (_, res) => res.end('{"data":[]}'), patienceMs = 20_000) {
  const url = `http://127.0.0.1:${await listening(createServer(gateway))}`;
  const port = await listening(mcpHttp({ url, version: '1', patienceMs }));
  const post = (body: unknown, more: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  return { port, post };
}

/** A connection that announces a body of so many bytes, and sends `body` of it. */
function send(port: number, bytes: number, body: string): Socket {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => undefined); // 'close' follows
  const lines = [...Object.entries({ host: 'x', ...headers, 'content-length': String(bytes) })];
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

function call(name: string, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } };
}

it('tells the gateway where a call comes from', async () => {
  const seen: unknown[] = [];
  const { post } = await open((req, res) => {
    seen.push(req.headers['x-forwarded-for'], req.headers.authorization);
    res.end('{"data":[]}');
  });
  await (await post(call('list_engines'))).text();
  await (await post(call('list_engines'), { 'x-forwarded-for': '192.0.2.7' })).text();
  expect(seen).toEqual(['127.0.0.1', 'Bearer a-key', '192.0.2.7, 127.0.0.1', 'Bearer a-key']);
});

it('takes a few messages at once, and no hundred', async () => {
  const { post } = await open();
  const batch = (length: number) => Array.from({ length }, (_, id) => call('list_engines', id));
  expect((await post(batch(10))).status).toBe(200);
  expect((await post(batch(11))).status).toBe(400);
});

it('refuses what is no message as such, whatever JSON it is', async () => {
  const { post } = await open();
  for (const body of [null, 5, 'text', {}]) expect((await post(body)).status, JSON.stringify(body)).toBe(400);
});

it('holds few bodies that do not come, and answers short calls beside them', async () => {
  const { port, post } = await open();
  const stalled = Array.from({ length: 9 }, () => send(port, MEGABYTE, ' '));
  const [refused] = await Promise.race(stalled.map((socket) => once(socket, 'data')));
  expect(String(refused)).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 10/);
  expect((await post(call('list_engines'))).status).toBe(200);
  for (const socket of stalled) socket.destroy();
  await expect.poll(() => isTaken(port)).toBe(true);
});

it('cuts off who does not read what was answered', async () => {
  const text = JSON.stringify({ request_id: 'ocr_1', status: 'succeeded', extracted_text: 'x'.repeat(24 * MEGABYTE) });
  const { port } = await open((_, res) => res.end(text), 100);
  const wish = { ...call('get_result'), params: { name: 'get_result', arguments: { request_id: 'ocr_1' } } };
  const body = JSON.stringify(wish);
  const socket = send(port, body.length, body);
  socket.pause();
  const writing = setInterval(() => socket.write('\r\n'), 20); // who does not read does not see an end
  await new Promise((resolve) => socket.once('close', resolve)); // an error comes before it
  clearInterval(writing);
});

/** Whether a large body is waited for: what is refused is answered before it came. */
async function isTaken(port: number): Promise<boolean> {
  const body = JSON.stringify(call('list_engines')).padEnd(MEGABYTE);
  const [answer] = (await once(send(port, MEGABYTE, body), 'data')) as [Buffer];
  return answer.toString().startsWith('HTTP/1.1 200');
}
