import { expect, it } from 'vitest';
import { rateLimited } from './rate-limit.ts';

it('Retry-After is never longer than the window, whatever the clocks say', () => {
  const resetAt = Math.ceil(Date.now() / 1000) + 7200;
  expect(
    rateLimited({ limit: 60, remaining: 0, resetAt, allowed: false, rule: 'No more.' }).details.retryAfterSeconds,
  ).toBe(60);
});
