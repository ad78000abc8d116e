import { describe, expect, it } from 'vitest';
import { createDatabase } from '../house/cluster.ts';
import { dieAt, KILL_POINTS } from './kill-point.ts';

/** Some of each kind, that run side by side; `npm run test:durability -- --points` has them all. */
const SAMPLE = [
  'accepted sync ok',
  'after-engine-answer async refusal',
  'settled async ok',
  'after-webhook async error',
  'page-recorded large ok',
];
const points = KILL_POINTS.filter((each) => SAMPLE.includes(`${each.point} ${each.kind} ${each.outcome}`));

describe.concurrent('a process that dies', { timeout: 240_000 }, () => {
  it.each(points)('$point loses and charges nothing: $kind, $outcome', async (killPoint) => {
    expect(await dieAt(killPoint, await createDatabase())).toEqual([]);
  });
});
