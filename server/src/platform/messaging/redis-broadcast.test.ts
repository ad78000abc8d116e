import { expect, it, vi } from 'vitest';
import { ScriptedRedis } from '../../../../test/house/scripted-redis.ts';
import { makeLog } from '../logging/log.ts';
import { RedisBroadcast } from './redis-broadcast.ts';

const BOTH = 2;

it('stays on connections on which Redis answers, also where its user may not ask for a sign of life', async () => {
  using redis = await ScriptedRedis.start('answers');
  redis.refusesPings = true;
  await using _broadcast = new RedisBroadcast(redis.url, makeLog('silent'), { silenceMs: 150 });
  await vi.waitFor(() => expect(redis.pings).toBeGreaterThan(12 * BOTH), 10_000);
  expect(redis.connections).toBe(BOTH);
});

it('leaves the connections on which Redis has fallen silent, and no other', async () => {
  using redis = await ScriptedRedis.start('answers');
  await using _broadcast = new RedisBroadcast(redis.url, makeLog('silent'), { silenceMs: 500 });
  await vi.waitFor(() => expect(redis.pings).toBeGreaterThan(3 * BOTH), 10_000);
  expect(redis.connections).toBe(BOTH);
  redis.behaviour = 'silent';
  await vi.waitFor(() => expect(redis.connections).toBeGreaterThan(2 * BOTH), 10_000);
});
