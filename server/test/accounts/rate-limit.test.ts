import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import type { Caller } from '../../src/accounts/callers/caller.ts';
import { RateLimiter } from '../../src/accounts/callers/rate-limit.ts';
import { openPool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const pool = openPool(await createDatabase(), { max: 4, log: makeLog('silent') });
afterAll(() => pool.end());

function callerOf(keyId: string, tier: Caller['tier'] = 'free'): Caller {
  return { accountId: 'acc', keyId, tier, scopes: [], history: true, via: 'key' };
}

async function hitsOf(keyId: string): Promise<number> {
  const { rows } = await pool.query('select hits from rate_window where key_id = $1', [keyId]);
  return rows[0].hits;
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

it('asks the database no more about a key that has used up its window', async () => {
  const limiter = new RateLimiter(pool);
  const states = await times(61, () => limiter.hit(callerOf('flooding')));
  expect(states.filter(({ allowed }) => allowed)).toHaveLength(60);
  const [before, ...later] = await times(500, () => limiter.hit(callerOf('flooding')));
  expect(later.every((state) => !state.allowed && state.resetAt === before?.resetAt)).toBe(true);
  expect(later.filter(({ answerAfterMs = 0 }) => answerAfterMs > 0)).toHaveLength(401);
  expect(await hitsOf('flooding')).toBe(61);
  expect((await limiter.hit(callerOf('beside'))).remaining).toBe(59);
});

it('knows of a window that other processes have used up from the first call on', async () => {
  await times(60, () => new RateLimiter(pool).hit(callerOf('shared')));
  const other = new RateLimiter(pool);
  await times(20, () => other.hit(callerOf('shared')));
  await other.hit(callerOf('shared'));
  expect(await hitsOf('shared')).toBe(80);
});

it('hears of a higher limit at once', async () => {
  const limiter = new RateLimiter(pool);
  await times(61, () => limiter.hit(callerOf('growing')));
  expect((await limiter.hit(callerOf('growing', 'pro'))).allowed).toBe(true);
  expect((await limiter.hit(callerOf('growing'))).allowed).toBe(false);
});

it('asks again when the window has ended by the clock of the database', async () => {
  const limiter = new RateLimiter(pool);
  await times(60, () => limiter.hit(callerOf('ending')));
  await pool.query(`update rate_window set started_at = now() - interval '59.5 seconds' where key_id = 'ending'`);
  expect((await limiter.hit(callerOf('ending'))).allowed).toBe(false);
  await expect.poll(async () => (await limiter.hit(callerOf('ending'))).allowed, { timeout: 5000 }).toBe(true);
});

it('begins anew where the clock of the database was set back since', async () => {
  await times(60, () => new RateLimiter(pool).hit(callerOf('back')));
  await pool.query(`update rate_window set started_at = now() + interval '1 hour' where key_id = 'back'`);
  expect(await new RateLimiter(pool).hit(callerOf('back'))).toMatchObject({ allowed: true, remaining: 59 });
});
