import { afterAll, expect, it } from 'vitest';
import { expectError } from '../house/expect-error.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
afterAll(() => house[Symbol.asyncDispose]());

/** The least that a late answer takes; a timer is never early by more than its own rounding. */
const LATE_MS = 990;

async function refused(call: () => Promise<{ status: number }>): Promise<number> {
  const from = performance.now();
  expect((await call()).status).toBe(429);
  return performance.now() - from;
}

it('who goes on calling above the limit is answered late, at every address of the API; another key is not', async () => {
  const { caller } = await house.account({ tier: 'free' });
  const other = await house.account({ tier: 'free' });
  const flood = await Promise.all(Array.from({ length: 161 }, () => caller.get('/v1/usage')));
  const late = flood.filter(({ status }) => status === 429);
  expect(late).toHaveLength(101);
  for (const reply of late) expectError(reply, 429, 'rate_limited');

  const body = JSON.stringify({ query: '{ __typename }' });
  const headers = { 'content-type': 'application/json' };
  const calls = [
    () => caller.get('/v1/usage'),
    () => caller.ocr({}),
    () => caller.get('/graphiql'),
    () => caller.call('POST', '/graphql', { body, headers }),
  ];
  for (const took of await Promise.all(calls.map(refused))) expect(took).toBeGreaterThanOrEqual(LATE_MS);
  expect((await other.caller.get('/v1/usage')).status).toBe(200);
});
