import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const LIMIT = 10_485_760;
const house = await sharedHouse();

/** A good body of exactly so many bytes: JSON allows blanks. */
async function bodyOf(bytes: number): Promise<Buffer> {
  return Buffer.from(JSON.stringify(await pictureBody()).padEnd(bytes, ' '));
}

it('a body of exactly the limit passes', async () => {
  const { caller } = await house.account();
  expect((await caller.ocr(await bodyOf(LIMIT))).status).toBe(200);
});

it('one byte more does not, and the message says how much file that is', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  expectError(await caller.ocr(await bodyOf(LIMIT + 1)), 413, 'payload_too_large', /7\.8 MB/);
  await expectBalance(house, accountId, 1);
});

it('nor does a body that does not say its length', async () => {
  const { caller } = await house.account();
  const pieces = Array.from({ length: 170 }, () => Buffer.alloc(65_536, ' '));
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'chunked' };
  const reply = await caller.call('POST', '/v1/ocr', { headers, body: Readable.from(pieces) });
  expectError(reply, 413, 'payload_too_large');
});

it('a body without a length within the limit passes', async () => {
  const { caller } = await house.account();
  const bytes = await bodyOf(100_000);
  const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 11), bytes.subarray(11)];
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'chunked' };
  expect((await caller.call('POST', '/v1/ocr', { headers, body: Readable.from(pieces) })).status).toBe(200);
});

it('answers a client that closes the connection with it, after the whole body', async () => {
  const { apiKey } = await house.account();
  const body = await bodyOf(LIMIT + 1);
  expect(await wholeExchange(apiKey, body)).toMatchObject({ status: 413, sent: true });
  expect(await wholeExchange('sk-ocr-unknown', body)).toMatchObject({ status: 401, sent: true });
});

it('does not bind its key', async () => {
  const { caller } = await house.account();
  expectError(await caller.ocr(await bodyOf(LIMIT + 1), { key: 'big' }), 413, 'payload_too_large');
  expect((await caller.ocr(await pictureBody(), { key: 'big' })).status).toBe(200);
});

/** Sends everything on a connection that is to be closed, and only then reads, as simple clients do. */
function wholeExchange(apiKey: string, body: Buffer): Promise<{ status: number; sent: boolean }> {
  const { hostname, port } = new URL(house.product.url);
  const head = ['POST /v1/ocr HTTP/1.1', 'Host: x', 'Connection: close', 'Content-Type: application/json'];
  head.push(`Authorization: Bearer ${apiKey}`, `Content-Length: ${body.length}`, '', '');
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    let sent = false;
    socket.pause();
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), sent }));
    socket.write(head.join('\r\n'));
    socket.write(body, () => {
      sent = true;
      socket.resume();
    });
  });
}
