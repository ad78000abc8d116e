import { expect, it } from 'vitest';
import type { ErrorAnswer } from '../../house/answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('the 61st request of a minute, however many come at once', async () => {
  const { caller } = await house.account({ tier: 'free' });
  const replies = await Promise.all(Array.from({ length: 75 }, () => caller.get<ErrorAnswer>('/v1/usage')));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(replies.length - refused.length).toBe(60);
  for (const reply of refused) {
    expectError(reply, 429, 'rate_limited');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(reply.body.retry_after_seconds).toBe(Number(reply.headers['retry-after']));
    expect(reply.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' });
  }
});

it('counts down, and tells when the window ends', async () => {
  const { caller } = await house.account({ tier: 'free' });
  const first = await caller.get('/v1/usage');
  const second = await caller.get('/v1/ocr/ocr_unknown');
  const third = await caller.ocr('{', { key: null });
  const remaining = [first, second, third].map(({ headers }) => headers['x-ratelimit-remaining']);
  expect(remaining).toEqual(['59', '58', '57']);
  const resets = new Set([first, second, third].map(({ headers }) => headers['x-ratelimit-reset']));
  expect(resets.size).toBe(1);
  expect(Number([...resets][0])).toBeGreaterThan(1_700_000_000);
  expect(first.headers).not.toHaveProperty('retry-after');
});

it('refuses documents before anything else is done with them, and leaves the idempotency key free', async () => {
  const { accountId, caller } = await house.account({ tier: 'free' });
  await Promise.all(Array.from({ length: 60 }, () => caller.get('/v1/usage')));
  const body = await pictureBody();
  expectError(await caller.ocr(body, { key: 'later' }), 429, 'rate_limited');
  expect(house.engines.calls('reader')).toEqual([]);
  const { api_key } = await house.admin.createKey({ accountId });
  const { status, headers } = await house.callerWith(api_key).ocr(body, { key: 'later' });
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('idempotent-replayed');
});

it('is counted per key', async () => {
  const { accountId, caller } = await house.account({ tier: 'free' });
  const { api_key } = await house.admin.createKey({ accountId });
  await Promise.all(Array.from({ length: 61 }, () => caller.get('/v1/usage')));
  const other = await house.callerWith(api_key).get('/v1/usage');
  expect(other.status).toBe(200);
  expect(other.headers['x-ratelimit-remaining']).toBe('59');
});

it.each([
  ['free', '60'],
  ['pro', '300'],
  ['scale', '1200'],
  ['unlimited', '1000000'],
] as const)('tier %s shows the limit %s', async (tier, limit) => {
  const { caller } = await house.account({ tier });
  expect((await caller.get('/v1/usage')).headers['x-ratelimit-limit']).toBe(limit);
});

it('an operator key has at least the tier scale', async () => {
  const { caller } = await house.account({ tier: 'free', scopes: ['operator', 'usage:read'] });
  expect((await caller.get('/v1/usage')).headers['x-ratelimit-limit']).toBe('1200');
});
