import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { pictureBody } from '../house/ocr-body.ts';
import { rawRequest } from '../house/raw-request.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { accountId, apiKey, caller } = await house.account({ credit: 1 });
afterEach(async () => {
  expect(house.product.running).toBe(true);
  expect((await house.stranger.get('/v1/health')).status).toBe(200);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 1, held_usd: 0 });
});

const head = (lines: readonly string[]) =>
  [
    'POST /v1/ocr HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${apiKey}`,
    ...lines,
    '',
    '',
  ].join('\r\n');

describe('what no client would send is refused without falling over', () => {
  it.each<[string, (string | Buffer)[]]>([
    ['no content type and no body', [head(['Idempotency-Key: k', 'Content-Length: 0'])]],
    [
      'a body that is not its declared encoding',
      [
        head(['Idempotency-Key: k', 'Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 2']),
        '{}',
      ],
    ],
    [
      'an unknown encoding',
      [
        head(['Idempotency-Key: k', 'Content-Type: application/json', 'Content-Encoding: zip', 'Content-Length: 2']),
        '{}',
      ],
    ],
    [
      'an unknown charset',
      [head(['Idempotency-Key: k', 'Content-Type: application/json; charset=klingon', 'Content-Length: 2']), '{}'],
    ],
    [
      'UTF-16',
      [
        head(['Idempotency-Key: k', 'Content-Type: application/json', 'Content-Length: 4']),
        Buffer.from('{}', 'utf16le'),
      ],
    ],
    ['a negative length', [head(['Idempotency-Key: k', 'Content-Type: application/json', 'Content-Length: -2']), '{}']],
    ['two lengths', [head(['Content-Type: application/json', 'Content-Length: 2', 'Content-Length: 3']), '{}']],
    [
      'a length and chunks',
      [head(['Content-Type: application/json', 'Content-Length: 2', 'Transfer-Encoding: chunked']), '0\r\n\r\n'],
    ],
    [
      'a broken chunk',
      [
        head(['Idempotency-Key: k', 'Content-Type: application/json', 'Transfer-Encoding: chunked']),
        'zz\r\n{}\r\n0\r\n\r\n',
      ],
    ],
    ['no HTTP at all', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
  ])('%s', async (_name, pieces) => {
    const { status } = await rawRequest(house.product.url, pieces);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('a key of odd characters or of great length', async () => {
    for (const key of ['"', '\\', '\u00e9\u00ff', ' ', 'x'.repeat(10_000)]) {
      const reply = await caller.ocr({ engine: 'reader' }, { key });
      expect(reply.status, key.slice(0, 20)).toBe(400);
    }
  });

  it('prototypes are not polluted', async () => {
    const bodies = ['{"__proto__": {"engine": "reader"}}', '{"constructor": {"prototype": {"engine": "reader"}}}'];
    for (const body of bodies) expect((await caller.ocr(body)).status).toBe(400);
  });

  it('nesting without end', async () => {
    for (const body of ['['.repeat(1_000_000), `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`]) {
      expect((await caller.ocr(body)).status).toBe(400);
    }
    const nested = JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`);
    const reply = await caller.ocr({ engine: 'nobody', native_settings: nested });
    expect(reply.status).toBe(400);
  });

  it('a compressed bomb', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
    const { status } = await caller.ocr(bomb, { headers });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

it('goes on working', async () => {
  const { caller: another } = await house.account();
  expect((await another.ocr(await pictureBody())).status).toBe(200);
});
