import { expect, it } from 'vitest';
import { timeLeft } from './time-left.ts';

const LIMIT_MS = 200_000;

it.each([
  ['behind', -3_600_000],
  ['ahead', 3_600_000],
])('does not ask this machine’s clock for a request of a database whose clock is an hour %s', (_, skewMs) => {
  const createdAt = new Date(Date.now() + skewMs);
  const startedAt = new Date(createdAt.getTime() + 5000);
  expect(timeLeft({ createdAt, startedAt }, LIMIT_MS)).toBe(LIMIT_MS - 5000);
});

it('is negative once it waited for longer than its time', () => {
  const createdAt = new Date(0);
  expect(timeLeft({ createdAt, startedAt: new Date(LIMIT_MS + 1) }, LIMIT_MS)).toBe(-1);
});
