import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { expectRawError } from '../../house/expect-raw-error.ts';
import { halfRequest } from '../../house/half-request.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { rawRequest } from '../../house/raw-request.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();
const { apiKey } = await house.account();
const { url, dashboardUrl } = house.product;

/** As clients offer HTTP/2 that speak HTTP/1.1 until the server takes it. */
const H2C = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;

it.each([
  ['the API', `${url}/v1/health`],
  ['the API', `${url}/v1/engines`],
  ['the dashboard', `${dashboardUrl}/api/session`],
])('a call that offers another protocol is answered as any other: %s, %s', async (_where, address) => {
  const { pathname } = new URL(address);
  await using plain = await opened(address, head(`GET ${pathname}`));
  await using offering = await opened(address, head(`GET ${pathname}`, ...H2C));
  expect(statusLine(offering.text())).toBe(statusLine(plain.text()));
  expect(offering.text()).toContain('X-API-Version: ');
  offering.socket.write(head(`GET ${pathname}`));
  await until(
    'the next call on the connection is answered, too',
    () => offering.text().split('HTTP/1.1 ').length === 3,
  );
});

it('the body of a call that offers another protocol is read', async () => {
  const body = JSON.stringify(await pictureBody());
  const lines = [
    ...H2C,
    `Authorization: Bearer ${apiKey}`,
    'Idempotency-Key: offers-h2c',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const { socket, text } = await halfRequest(url, [head('POST /v1/ocr', ...lines)], Buffer.from(body));
  await until('it is answered', () => text().includes('"status":'));
  socket.destroy();
  expect(statusLine(text())).toBe('HTTP/1.1 200 OK');
});

it.each([
  ['', 'keep-alive'],
  ['Upgrade: h2c', 'close'],
])(
  'an answer before all of a body has come keeps the connection only without an offer: `%s`',
  async (offer, connection) => {
    const lines = [offer || 'X-Other: h2c', 'Connection: keep-alive, Upgrade', 'Content-Length: 10'];
    const { socket, text, ended } = await halfRequest(url, [head('POST /v1/health', ...lines)], Buffer.from('half '));
    await until('it is answered', () => text().includes('use GET'));
    expect(statusLine(text())).toBe('HTTP/1.1 405 Method Not Allowed');
    expect(text()).toContain(`\r\nConnection: ${connection}\r\n`);
    const next = head('GET /v1/health', 'Connection: close');
    socket.write(connection === 'close' ? 'body ' : `body ${next}`);
    await until('the connection ends', ended);
  },
);

it.each(['h2c', 'foo/2', 'websocketish', 'h2c, foo'])('%s is no protocol that the service knows', async (protocol) => {
  const { status } = await rawRequest(url, [
    head('GET /v1/health', `Upgrade: ${protocol}`, 'Connection: close, Upgrade'),
  ]);
  expect(status).toBe(200);
});

it('only GET opens a WebSocket: another method is a call', async () => {
  const { status } = await rawRequest(url, [
    head('POST /v1/health', 'Upgrade: websocket', 'Connection: close, Upgrade', KEY, 'Content-Length: 2'),
    '{}',
  ]);
  expect(status).toBe(405);
});

it.each(['websocket', 'WebSocket', 'h2c, websocket', 'h2c,websocket'])(
  'opens a WebSocket for `Upgrade: %s`',
  async (protocol) => {
    const lines = ['Connection: Upgrade', `Upgrade: ${protocol}`, KEY, 'Sec-WebSocket-Version: 13'];
    const { socket, text } = await halfRequest(url, [
      head('GET /graphql', ...lines, 'Sec-WebSocket-Protocol: graphql-transport-ws'),
    ]);
    await until('it is answered', () => text().includes('\r\n\r\n'));
    socket.destroy();
    expect(statusLine(text())).toBe('HTTP/1.1 101 Switching Protocols');
  },
);

it.each([
  ['the API', `${url}/v1/health`],
  ['the API', `${url}/`],
  ['the dashboard', `${dashboardUrl}/api/session`],
])('a WebSocket anywhere else than at /graphql is 404 with the envelope: %s, %s', async (_where, address) => {
  const { pathname } = new URL(address);
  const answer = await rawRequest(address, [
    head(`GET ${pathname}`, 'Connection: Upgrade', 'Upgrade: websocket', KEY, 'Sec-WebSocket-Version: 13'),
  ]);
  expectRawError(answer, { status: 404, code: 'not_found' });
});

it('a WebSocket of another site is refused with the envelope at the dashboard’s address', async () => {
  const answer = await rawRequest(dashboardUrl, [
    head(
      'GET /graphql',
      'Origin: https://evil.example',
      'Connection: Upgrade',
      'Upgrade: websocket',
      KEY,
      'Sec-WebSocket-Version: 13',
    ),
  ]);
  expectRawError(answer, { status: 403, code: 'insufficient_scope' });
});

it.each([
  ['no key', ['Sec-WebSocket-Version: 13']],
  ['another version', [KEY, 'Sec-WebSocket-Version: 99']],
])('a handshake with %s is refused with the envelope', async (_what, lines) => {
  const answer = await rawRequest(url, [head('GET /graphql', 'Connection: Upgrade', 'Upgrade: websocket', ...lines)]);
  expectRawError(answer, { status: 400, code: 'invalid_request' });
  expect(answer.text).toContain('\r\nSec-WebSocket-Version: 13, 8\r\n');
});

it('a client of WebSockets sees the status', async () => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/nowhere`);
  const [error] = await once(socket, 'error');
  expect(String(error)).toContain('404');
});

async function opened(address: string, request: string) {
  const half = await halfRequest(address, [request]);
  await until('it is answered', () => half.text().includes('\r\n\r\n'));
  return { ...half, [Symbol.asyncDispose]: async () => void half.socket.destroy() };
}

function statusLine(text: string): string {
  return text.split('\r\n')[0] ?? '';
}
