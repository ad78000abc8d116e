import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import type { Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { TextExpiry } from './expiry.job.ts';

const HOUR_MS = 3_600_000;
// The hour alone: between two steps it rests by other timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A database with two accounts that keep texts for some days; the statements that it was asked for. */
function databaseOf(deleted: (account: string) => number) {
  const asked: string[] = [];
  const pool = {
    query: async ({ name, values }: { name: string; values: readonly unknown[] }) => {
      const account = String(values[0] ?? '');
      asked.push(`${name} ${account}`.trim());
      if (name === 'accounts-with-retention') return { rows: ['one', 'two'].map((id) => ({ id, days: 30 })) };
      return { rows: [{ deleted: deleted(account), afterId: null, isClear: true, isMore: false }] };
    },
  };
  return { asked, pool: pool as unknown as Pool }; // as far as the job asks it
}

const LOOK = ['accounts-with-retention', 'request-delete-expired one', 'request-delete-expired two'];

it('looks at its start and an hour after each look, and counts what it deletes', async () => {
  const { asked, pool } = databaseOf((account) => (account === 'one' ? 2 : 3));
  const counted: number[] = [];
  await using expiry = new TextExpiry(pool, { log: makeLog('silent'), onExpired: (n) => counted.push(n) });
  expiry.start();
  vi.advanceTimersByTime(0);
  await until('it is over', () => counted.length === 1);
  vi.advanceTimersByTime(HOUR_MS - 1);
  expect(asked).toEqual(LOOK);
  vi.advanceTimersByTime(1);
  await until('it is over again', () => counted.length === 2);
  expect(asked).toEqual([...LOOK, ...LOOK]);
  expect(counted).toEqual([5, 5]);
});

it('the failure of one account is its own, and the next hour comes', async () => {
  const { pool } = databaseOf((account) => {
    if (account === 'one') throw new Error('locked');
    return 1;
  });
  const counted: number[] = [];
  await using expiry = new TextExpiry(pool, { log: makeLog('silent'), onExpired: (n) => counted.push(n) });
  expiry.start();
  vi.advanceTimersByTime(0);
  await until('it is over', () => counted.length === 1);
  vi.advanceTimersByTime(HOUR_MS);
  await until('it is over again', () => counted.length === 2);
  expect(counted).toEqual([1, 1]);
});
