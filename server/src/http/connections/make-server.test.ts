import 'reflect-metadata';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { API_VERSION } from '../../monitoring/changelog.ts';
import { makeServer } from './make-server.ts';

const PATIENT = {
  headersTimeout: 60_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 20,
  maxHeaderSize: 1000,
};
/** For what comes too late: a busy machine is slower than these. */
const SHORT = { ...PATIENT, headersTimeout: 50, requestTimeout: 100 };
const CALL = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server, and a way to send it something; `ends` are its own ends of the connections. */
async function open(listener: RequestListener, limits = PATIENT) {
  const server = makeServer(listener, limits).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ends: Socket[] = [];
  server.on('connection', (socket) => ends.push(socket));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const send = (text: string, allowHalfOpen = false) => {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen }); // it listens on a port
    closing.push(() => socket.destroy());
    const answer = { socket, text: '', closed: once(socket, 'close') };
    socket.on('error', () => undefined); // being cut off is what some of them wait for
    socket.on('data', (chunk) => {
      answer.text += chunk;
    });
    socket.write(text);
    return answer;
  };
  return { send, ends };
}

function expectError(text: string, status: string, code: string, message: string): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      `HTTP/1.1 ${status}`,
      `X-API-Version: ${API_VERSION}`,
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]),
  );
  expect(JSON.parse(body)).toEqual({ error: { code, message: expect.stringContaining(message) } });
}

const answers: RequestListener = (_req, res) => void res.end('answered');
const never: RequestListener = () => undefined;

it.each([
  ['that stop in the middle', 'GET / HTTP/1.1\r\nHost: x\r\nX-'],
  ['that never begin', ''],
])('headers %s are 408', async (_what, text) => {
  const { send } = await open(answers, SHORT);
  const answer = send(text);
  await answer.closed;
  expectError(answer.text, '408 Request Timeout', 'invalid_request', 'within 0.05 seconds');
});

it('a body that does not come in time is 408, and whoever reads it hears of its end', async () => {
  let aborted = false;
  const { send } = await open((req) => {
    req.resume().once('error', () => {
      aborted = true;
    });
  }, SHORT);
  const answer = send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab');
  await answer.closed;
  expectError(answer.text, '408 Request Timeout', 'invalid_request', 'in time');
  await expect.poll(() => aborted).toBe(true);
});

it('a body that is malformed in the middle is 400, whatever is sent behind, and whoever reads it hears of its end', async () => {
  let aborted = 0;
  const { send } = await open((req) => {
    req.resume().once('error', () => aborted++);
  });
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n';
  const all = Array.from({ length: 20 }, () => send(`${head}nonsense\r\n${'x'.repeat(200_000)}`));
  for (const answer of all) {
    await answer.closed;
    expectError(answer.text, '400 Bad Request', 'invalid_request', 'chunk size');
  }
  await expect.poll(() => aborted, { timeout: 5000 }).toBe(all.length);
});

it('a head that is too long is 431, and extensions of chunks are 413', async () => {
  const { send } = await open(never);
  const long = send(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(2000)}\r\n\r\n`);
  await long.closed;
  expectError(long.text, '431 Request Header Fields Too Large', 'invalid_request', '1000 bytes');
  const extended = send(
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
  );
  await extended.closed;
  expectError(extended.text, '413 Payload Too Large', 'payload_too_large', 'chunks');
});

it('says what is malformed', async () => {
  const { send } = await open(answers);
  const answer = send('NONSENSE / HTTP/1.1\r\n\r\n');
  await answer.closed;
  expectError(answer.text, '400 Bad Request', 'invalid_request', 'method');
});

it('writes nothing into an answer that has begun', async () => {
  const { send } = await open((_req, res) => void res.write('a part'));
  const answer = send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  await expect.poll(() => answer.text).toContain('a part');
  answer.socket.write('nonsense');
  await answer.closed;
  expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(answer.text).toMatch(/a part\r\n$/);
});

it('writes nothing where a call before waits for its answer', async () => {
  const { send } = await open(never);
  const answer = send(`${CALL}nonsense\r\n\r\n`);
  await answer.closed;
  expect(answer.text).toBe('');
});

it('answers once, whatever comes behind, and cuts off who stays', async () => {
  const { send, ends } = await open(answers);
  const answer = send('nonsense\r\n\r\n', true);
  await expect.poll(() => answer.text).toContain('invalid_request');
  for (const rest of ['more', CALL, CALL]) answer.socket.write(rest);
  await expect.poll(() => ends.map(({ destroyed }) => destroyed), { timeout: 5000 }).toEqual([true]);
  expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('holds nothing of peers that reset their connections', async () => {
  const { send, ends } = await open(never);
  const peers = Array.from({ length: 10 }, () => send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'));
  await expect.poll(() => ends.length).toBe(10);
  for (const { socket } of peers) socket.resetAndDestroy();
  await expect.poll(() => ends.every(({ destroyed }) => destroyed)).toBe(true);
});

it.each([
  ['no Host', 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab', '400 Bad Request', 'Host'],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n', '417 Expectation Failed', 'Expect'],
])('%s is refused before the listener hears of it', async (_what, text, status, message) => {
  let heard = 0;
  const { send } = await open(() => {
    heard++;
  });
  const answer = send(text);
  await answer.closed;
  expectError(answer.text, status, 'invalid_request', message);
  expect(heard).toBe(0);
});

it('answers everything else as ever', async () => {
  const { send } = await open(answers);
  for (const text of [CALL, 'GET / HTTP/1.0\r\n\r\n', 'GET / HTTP/1.1\r\nHost:\r\nExpect: 100-continue\r\n\r\n']) {
    const answer = send(text);
    await expect.poll(() => answer.text).toMatch(/HTTP\/1\.1 200 OK\r\n.*answered/s);
  }
});

it.each([
  ['http://elsewhere.example/v1/health?a=1', '/v1/health?a=1'],
  ['HTTPS://user@elsewhere.example:8443/', '/'],
  ['http://elsewhere.example', '/'],
  ['http://elsewhere.example?a=/b', '/?a=/b'],
  ['http://elsewhere.example//v1', '//v1'],
  ['/http://elsewhere.example/', '/http://elsewhere.example/'],
  ['ftp://elsewhere.example/v1', 'ftp://elsewhere.example/v1'],
])('takes the target %s as %s, and who is asked from Host alone', async (target, url) => {
  const server = await open((req, res) => void res.end(`${req.url} of ${req.headers.host}`));
  const answer = server.send(`GET ${target} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
  await answer.closed;
  expect(answer.text.split('\r\n\r\n')[1]).toBe(`${url} of here`);
});
