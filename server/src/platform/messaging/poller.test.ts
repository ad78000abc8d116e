import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Poller } from './poller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('looks again only when it has seen what it looked at, however long that takes', async () => {
  const slow = Promise.withResolvers<string>();
  const values = [Promise.resolve('first'), slow.promise, Promise.resolve('third')];
  const read = vi.fn(async () => values.shift() ?? 'last');
  using poller = new Poller(read, (value) => value);
  const stream = await poller.watch();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(2);
  slow.resolve('second');
  await vi.advanceTimersByTimeAsync(2000);
  expect([await stream.next(), await stream.next(), await stream.next()].map(({ value }) => value)).toEqual([
    'first',
    'second',
    'third',
  ]);
});

it('looks again after a look that failed', async () => {
  const values = [Promise.resolve('first'), Promise.reject(new Error('away')), Promise.resolve('third')];
  values[1]?.catch(() => undefined); // until it is read
  using poller = new Poller(
    async () => values.shift() ?? 'last',
    (value) => value,
  );
  const stream = await poller.watch();
  await vi.advanceTimersByTimeAsync(4000);
  expect([await stream.next(), await stream.next()].map(({ value }) => value)).toEqual(['first', 'third']);
});
