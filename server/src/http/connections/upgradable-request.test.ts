import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { UpgradableRequest } from './upgradable-request.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** What one request is answered by a server that tells calls and upgrades apart; other calls are answered with their bodies. */
async function answerTo(line: string, ...rest: string[]): Promise<string> {
  const server = createServer({ IncomingMessage: UpgradableRequest }, (req, res) => void req.pipe(res));
  server.on('upgrade', (_req, socket) => socket.end('upgraded'));
  server.on('connect', (_req, socket) => socket.end('connected'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1'); // it listens on a port
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write([`${line} HTTP/1.1`, 'Host: x', ...rest].join('\r\n'));
  await once(socket, 'close');
  return text;
}

it.each(['websocket', 'WebSocket', 'h2c, websocket', 'websocket , h2c'])('upgrades for %s', async (protocol) => {
  expect(await answerTo('GET /', `Upgrade: ${protocol}`, 'Connection: Upgrade', '', '')).toBe('upgraded');
});

it.each(['h2c', 'TLS/1.0', 'websockets', 'xwebsocket'])(
  'answers a call that offers %s as any other',
  async (protocol) => {
    const lines = [`Upgrade: ${protocol}`, 'Connection: Upgrade, close', 'Content-Length: 4', '', 'body'];
    expect(await answerTo('POST /', ...lines)).toMatch(/^HTTP\/1\.1 200 OK\r\n.+\r\n\r\n(4\r\n)?body/s);
  },
);

it('answers a call of another method than GET that offers a WebSocket', async () => {
  const lines = ['Upgrade: websocket', 'Connection: Upgrade, close', 'Content-Length: 4', '', 'body'];
  expect(await answerTo('POST /', ...lines)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

it('leaves CONNECT to its own listener', async () => {
  expect(await answerTo('CONNECT x:1', '', '')).toBe('connected');
});
