import { expect, it, vi } from 'vitest';
import { ScriptedRedis } from '../../../../test/house/scripted-redis.ts';
import type { Log } from '../logging/log.ts';
import { BeeDispatch } from './bee.ts';

/** What is told of a dispatch over this Redis. */
function open(url: string) {
  const told: string[] = [];
  const tell = (...args: unknown[]) => void told.push(String(args.at(-1)));
  // `as`: of a log it uses these alone.
  const log = { warn: tell, info: tell, debug: () => undefined } as unknown as Log;
  const dispatch = new BeeDispatch(url, log, { silenceMs: 300 });
  return { told, [Symbol.asyncDispose]: () => dispatch[Symbol.asyncDispose]() };
}

const OUTAGE = [expect.stringMatching(/^Redis does not answer/)];

it.each(['absent', 'silent'] as const)(
  'tells once of a Redis that is %s, however often it is tried, and once that it answers',
  async (behaviour) => {
    using redis = await ScriptedRedis.start(behaviour);
    await using dispatch = open(redis.url);
    await vi.waitFor(() => expect(redis.connections).toBeGreaterThan(8), 20_000);
    expect(dispatch.told).toEqual(OUTAGE);
    redis.behaviour = 'answers';
    await vi.waitFor(() => expect(dispatch.told.slice(1)).toEqual(['Redis answers again']), 10_000);
  },
);

it('tells once of a Redis that falls silent on a connection that it has answered on', async () => {
  using redis = await ScriptedRedis.start('answers');
  await using dispatch = open(redis.url);
  await vi.waitFor(() => expect(redis.pings).toBeGreaterThan(2), 10_000);
  expect([redis.connections, dispatch.told]).toEqual([2, []]);
  redis.behaviour = 'silent';
  await vi.waitFor(() => expect(redis.connections).toBeGreaterThan(4), 10_000);
  expect(dispatch.told).toEqual(OUTAGE);
  redis.behaviour = 'answers';
  await vi.waitFor(() => expect(dispatch.told.slice(1)).toEqual(['Redis answers again']), 10_000);
});
