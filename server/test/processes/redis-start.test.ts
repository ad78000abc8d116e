import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { missingRedis, RedisServer } from '../../../test/house/redis.ts';
import { until } from '../../../test/house/until.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { BeeDispatch } from '../../src/platform/messaging/bee.ts';

const missing = missingRedis();
if (missing) console.log(`skipped: ${missing}`);

it.skipIf(missing !== null)('warns of nothing at a good start', async () => {
  await using redis = await RedisServer.start();
  const warnings: string[] = [];
  const warn = (...words: unknown[]) => void warnings.push(JSON.stringify(words));
  const log = Object.assign(makeLog('warn'), { warn });
  const heard = new Set<number>();
  const dispatches: BeeDispatch[] = [];
  for (let index = 0; index < 100; index++) {
    const dispatch = new BeeDispatch(redis.url, log);
    dispatches.push(dispatch);
    // Each one asks at another moment of its connecting.
    for (let ticks = 0; ticks < index % 50; ticks++) await nextTick();
    dispatch.onEnded(() => void heard.add(index));
  }
  await until('all of them hear', () => {
    dispatches[0]?.ended('ocr_1');
    return heard.size === dispatches.length;
  });
  await Promise.all(dispatches.map((dispatch) => dispatch[Symbol.asyncDispose]()));
  expect(warnings).toEqual([]);
});
