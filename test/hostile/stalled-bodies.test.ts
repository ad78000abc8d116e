import { Readable } from 'node:stream';
import { afterAll, afterEach, expect, it } from 'vitest';
import { type HalfRequest, halfRequest, postHead } from '../house/half-request.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

const house = await openHouse();
const { caller } = await house.account();
const { url, dashboardUrl } = house.product;
const open: HalfRequest[] = [];

type GraphqlErrors = { readonly errors: readonly { readonly extensions: { readonly code: string } }[] };

afterAll(() => house[Symbol.asyncDispose]());
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

async function stalled(apiKey: string, length = 2_000_000): Promise<HalfRequest> {
  const half = await halfRequest(url, postHead('/v1/ocr', { apiKey, length }), Buffer.from('{"a": '));
  open.push(half);
  return half;
}

/** A good body of so many bytes: JSON allows blanks. */
async function bodyOf(bytes: number): Promise<Buffer> {
  return Buffer.from(JSON.stringify(await pictureBody()).padEnd(bytes, ' '));
}

async function expectUploadsToWork(): Promise<void> {
  const large = await caller.ocr(await bodyOf(1_200_000), { signal: AbortSignal.timeout(40_000) });
  expect(large.status).toBe(200);
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  const body = Readable.from([await bodyOf(200)]);
  const chunked = await caller.call('POST', '/v1/ocr', { headers, body, signal: AbortSignal.timeout(40_000) });
  expect(chunked.status).toBe(200);
}

it('two uploads that stall stop nobody else’s', async () => {
  const { apiKey } = await house.account({ credit: 0 });
  await stalled(apiKey);
  await stalled(apiKey);
  await expectUploadsToWork();
});

it('a hundred uploads of one account that stall stop nobody else’s', async () => {
  const { apiKey } = await house.account({ credit: 0 });
  await Promise.all(Array.from({ length: 100 }, () => stalled(apiKey)));
  await expectUploadsToWork();
});

it('who hangs up while waiting in line takes no place along', async () => {
  const { apiKey } = await house.account({ credit: 0 });
  const slow = await Promise.all([stalled(apiKey), stalled(apiKey)]);
  const waiting = await Promise.all([1, 2, 3, 4].map(() => stalled(apiKey)));
  for (const { socket } of waiting) socket.destroy();
  for (const { socket } of slow) socket.destroy();
  await expectUploadsToWork();
});

it('a login is 16 kB at most: nothing more of it is kept', async () => {
  const head = postHead('/api/login', { length: 1_000_000 });
  const half = await halfRequest(dashboardUrl, head, Buffer.alloc(999_900, ' '));
  open.push(half);
  await until('it is answered', () => half.text().startsWith('HTTP/1.1 413'));
  const visitor = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const tooLong = await fetch(`${dashboardUrl}/api/login`, {
    method: 'POST',
    headers: visitor,
    body: JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(17_000) }),
  });
  expect(tooLong.status).toBe(413);
});

it('gives headers up that do not come to their end', async () => {
  const halves = await Promise.all(
    Array.from({ length: 20 }, () => halfRequest(url, ['GET /v1/health HTTP/1.1', 'Host: localhost', 'X-Slow: '])),
  );
  open.push(...halves);
  await until('all of them have lost their connection', () => halves.every((half) => half.ended()));
});

it('gives a body up that stops coming, with the error of the table', async () => {
  const { apiKey } = await house.account();
  const half = await stalled(apiKey, 500);
  await until('it is answered', () => half.text().includes('\r\n\r\n'));
  expect(half.text()).toMatch(/^HTTP\/1\.1 400 /);
  expect(half.text()).toContain('"invalid_request"');
  await until('the connection ends', () => half.ended());
});

it('large GraphQL bodies stand in the same line and respect memory', async () => {
  await using small = await openHouse({ env: { MAX_MEMORY_MB: '64' } });
  const owner = await small.account();
  const question = { 'content-type': 'application/json' };
  const large = JSON.stringify({ query: '{ changelog { apiVersion } }' }).padEnd(200_000, ' ');
  const refused = await until('memory is looked at', async () => {
    const reply = await owner.caller.call<GraphqlErrors>('POST', '/graphql', { headers: question, body: large });
    return reply.status === 503 && reply;
  });
  expect(refused.body.errors.map(({ extensions }) => extensions.code)).toEqual(['engine_unavailable']);
  const body = JSON.stringify({ query: '{ changelog { apiVersion } }' });
  expect((await owner.caller.call('POST', '/graphql', { headers: question, body })).status).toBe(200);
});

it('thirty stalled GraphQL bodies stop nobody', async () => {
  const { apiKey } = await house.account({ credit: 0 });
  const halves = await Promise.all(
    Array.from({ length: 30 }, () => halfRequest(url, postHead('/graphql', { apiKey, length: 11_400_000 }))),
  );
  open.push(...halves);
  await expectUploadsToWork();
});
