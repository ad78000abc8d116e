import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { Pressure } from './pressure.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('counts requests whose acceptance a look did not see, and those that join while it looks', async () => {
  const looks: ((queued: number) => void)[] = [];
  const rowsOf = (queued: number) => ({ rows: [{ engine: 'reader', accountId: 'a', queued }] });
  const pool = { query: () => new Promise((resolve) => looks.push((queued) => resolve(rowsOf(queued)))) };
  using pressure = new Pressure(
    pool as unknown as Pool, // all that it asks of one
    { maxQueued: 3, maxMemoryBytes: Number.POSITIVE_INFINITY },
    makeLog('silent'),
  );
  const join = () => pressure.join('reader', 'a');
  const [first, second] = [join(), join()];
  first.ended();
  await vi.advanceTimersByTimeAsync(500);
  expect(looks).toHaveLength(1);
  const third = join();
  expect(join).toThrow('Too many requests are waiting');
  looks[0]?.(1); // the second one's acceptance was not committed yet
  await vi.advanceTimersByTimeAsync(0);
  expect(join).toThrow('Too many requests are waiting');
  second.ended();
  third.ended();
  expect(join).toThrow('Too many requests are waiting');
  await vi.advanceTimersByTimeAsync(60_000);
  looks[1]?.(2); // one was taken from the queue
  await vi.advanceTimersByTimeAsync(0);
  expect(join().level).toBe(2);
});
