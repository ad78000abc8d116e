import { afterEach, describe, expect, it } from 'vitest';
import { expectRawError } from '../../house/expect-raw-error.ts';
import { halfRequest } from '../../house/half-request.ts';
import { hangUpAfter, rawRequest } from '../../house/raw-request.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();
const { apiKey } = await house.account();
const { url, dashboardUrl } = house.product;
afterEach(async () => {
  expect(house.product.running).toBe(true);
  expect((await house.stranger.get('/v1/health')).status).toBe(200);
});

const HEALTH = 'GET /v1/health HTTP/1.1';
const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`;

describe.each([
  ['the API', url],
  ['the dashboard', dashboardUrl],
])('what is wrong with a request as such has the envelope: %s', (_where, address) => {
  it.each<[string, number, string]>([
    [
      'an Idempotency-Key of 17,000 characters',
      431,
      lines(HEALTH, 'Host: x', `Idempotency-Key: ${'k'.repeat(17_000)}`),
    ],
    ['a URL of 17,000 characters', 431, lines(`GET /${'x'.repeat(17_000)} HTTP/1.1`, 'Host: x')],
    ['a megabyte of headers', 431, lines(HEALTH, 'Host: x', `X-Long: ${'k'.repeat(1024 * 1024)}`)],
    ['a malformed request line', 400, lines('GET', 'Host: x')],
    ['an unknown method', 400, lines('FETCH /v1/health HTTP/1.1', 'Host: x')],
    ['another protocol', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a colon', 400, lines(HEALTH, 'Host: x', 'nonsense')],
    ['two lengths', 400, lines('POST /v1/ocr HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Content-Length: 3')],
    ['no Host', 400, lines(HEALTH)],
    ['no Host, and a body', 400, `${lines('POST /v1/ocr HTTP/1.1', 'Content-Length: 4')}body`],
    ['an expectation that nobody knows', 417, lines(HEALTH, 'Host: x', 'Expect: foo')],
  ])('%s is %i', async (_what, status, request) => {
    expectRawError(await rawRequest(address, [request]), { status, code: 'invalid_request' });
  });
});

it('a client that writes megabytes behind a head that is too long sees the answer', async () => {
  const head = lines('POST /v1/ocr HTTP/1.1', 'Host: x', `X-Long: ${'k'.repeat(17_000)}`, 'Content-Length: 8000000');
  expectRawError(await rawRequest(url, [head, Buffer.alloc(8_000_000)]), { status: 431, code: 'invalid_request' });
});

it('a body whose chunks are broken has the envelope', async () => {
  const head = lines(
    'POST /v1/ocr HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${apiKey}`,
    'Idempotency-Key: broken-chunk',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  );
  expectRawError(await rawRequest(url, [head, 'zz\r\n']), { status: 400, code: 'invalid_request' });
});

it('what follows an answer on its connection and is wrong has an answer of its own', async () => {
  const { socket, text } = await halfRequest(url, [lines(HEALTH, 'Host: x')]);
  await until('the first is answered', () => text().includes('}'));
  const first = text();
  expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  socket.write('nonsense\r\n\r\n');
  await until('the connection ends', () => socket.destroyed);
  expectRawError({ status: 400, text: text().slice(first.length) }, { status: 400, code: 'invalid_request' });
});

it('what is wrong behind a call that is not answered yet is not taken for its answer', async () => {
  const { text } = await rawRequest(url, [`${lines(HEALTH, 'Host: x')}nonsense\r\n\r\n`]);
  expect(text).not.toContain('HTTP/1.1 400');
});

it('a call by HTTP/1.0 needs no Host, and `Expect: 100-continue` is met', async () => {
  expect((await rawRequest(url, [lines('GET /v1/health HTTP/1.0')])).text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const expecting = lines(HEALTH, 'Host: x', 'Expect: 100-continue', 'Connection: close');
  expect((await rawRequest(url, [expecting])).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
});

it('peers that hang up in the middle of what is wrong harm nobody', async () => {
  const requests = [lines('GET'), lines(HEALTH, `X-Long: ${'k'.repeat(1024 * 1024)}`), lines(HEALTH), 'GET /v1/heal'];
  await Promise.all(requests.flatMap((request) => Array.from({ length: 10 }, () => hangUpAfter(url, [request]))));
});
