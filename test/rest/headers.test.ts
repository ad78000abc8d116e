import { describe, expect, it } from 'vitest';
import { expectError } from '../house/expect-error.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { apiKey, caller } = await house.account({ tier: 'scale' });
const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const OPEN = ['/v1/health', '/v1/status', '/v1/engines', '/v1/engines/health', '/v1/engines/stats', '/v1/changelog'];
const CLOSED = ['/v1/usage', '/v1/models', '/v1/ocr/ocr_00000000000000000000000000'];

describe('X-RateLimit-Limit, -Remaining and -Reset', () => {
  it.each([...OPEN, ...CLOSED, '/v1/nowhere', '/v1/webhooks', '/v1/engines/nobody/latency'])(
    'stand on GET %s with a valid key, and on none without',
    async (path) => {
      const { headers } = await caller.get(path);
      for (const name of RATE) expect(headers[name], name).toMatch(/^\d+$/);
      expect(headers).not.toHaveProperty('retry-after');
      const { headers: bare } = await house.stranger.get(path);
      for (const name of RATE) expect(bare).not.toHaveProperty(name);
    },
  );

  it('stand on every kind of answer to POST /v1/ocr', async () => {
    const tooLarge = Buffer.alloc(10_485_761, ' ');
    const replies = await Promise.all([
      caller.ocr(await pictureBody()),
      caller.ocr('{'),
      caller.ocr(await pictureBody(), { key: null }),
      caller.ocr(ocrBody('reader', Buffer.from('a note'))),
      caller.ocr(tooLarge),
      caller.call('DELETE', '/v1/ocr'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 400, 422, 413, 405]);
    for (const { headers } of replies) for (const name of RATE) expect(headers[name], name).toMatch(/^\d+$/);
  });

  it('count one call once', async () => {
    const { caller: fresh } = await house.account({ tier: 'pro' });
    await fresh.ocr(await pictureBody());
    expect((await fresh.get('/v1/usage')).headers['x-ratelimit-remaining']).toBe('298');
  });

  it('do not stand where no key is looked at, which is not counted either: preflights, probes and metrics', async () => {
    const { caller: fresh } = await house.account({ tier: 'pro' });
    const replies = await Promise.all([
      fresh.call('OPTIONS', '/v1/ocr'),
      ...['/livez', '/readyz', '/metrics'].map((path) => fresh.get(path)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([204, 200, 200, 200]);
    for (const { headers } of replies) for (const name of RATE) expect(headers).not.toHaveProperty(name);
    expect((await fresh.get('/v1/usage')).headers['x-ratelimit-remaining']).toBe('299');
  });

  it('do not stand on an answer to an invalid key', async () => {
    const { headers } = await house.callerWith(`${apiKey}x`).get('/v1/usage');
    for (const name of RATE) expect(headers).not.toHaveProperty(name);
  });
});

describe('X-API-Version and X-Request-Id', () => {
  it.each([...OPEN, ...CLOSED, '/v1/nowhere'])('stand on GET %s, with a key or without', async (path) => {
    for (const who of [caller, house.stranger]) {
      const { headers } = await who.get(path);
      expect(headers['x-api-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(headers['x-request-id']).toMatch(/\S/);
    }
  });

  it('X-Request-Id differs from call to call', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await caller.get('/v1/health')).headers['x-request-id']));
    expect(new Set(ids).size).toBe(3);
  });
});

it.each(OPEN)('an invalid key on the open route %s is 401', async (path) => {
  expectError(await house.callerWith(`${apiKey}x`).get(path), 401, 'authentication_error');
});

it.each(['/v1/nowhere', '/v1/webhooks', '/v2/ocr', '/v1/ocr/jobs/job_1'])('%s is nowhere', async (path) => {
  expectError(await caller.get(path), 404, 'not_found');
});

it('says nothing about what it is built with', async () => {
  const { headers } = await caller.get('/v1/health');
  expect(headers).not.toHaveProperty('x-powered-by');
});
