import { describe, expect, it } from 'vitest';
import { createDatabase } from '../house/cluster.ts';
import { dieAt, KILL_POINTS } from './kill-point.ts';
import { PLACES } from './provider.ts';

/** Some of each kind, that run side by side; `npm run test:durability -- --points` has them all. */
const SAMPLE = [
  'accepted sync ok',
  'after-engine-answer async refusal',
  'settled async ok',
  'after-webhook async error',
  'page-recorded large ok',
];
const points = KILL_POINTS.filter((each) => SAMPLE.includes(`${each.point} ${each.kind} ${each.outcome}`));

describe.concurrent('a process that dies', { timeout: 300_000 }, () => {
  it.each(points)('$point loses and charges nothing: $kind, $outcome', async (killPoint) => {
    expect((await dieAt(killPoint, await createDatabase())).broken).toEqual([]);
  });

  it('with a job whose cancellation is only noted leaves it to the next one, which reads nothing more and sells what was read', async () => {
    const job = { point: 'cancel-marked', kind: 'large', outcome: 'slow' } as const;
    const { evidence, broken } = await dieAt(job, await createDatabase());
    expect(broken).toEqual([]); // what it cost among it
    const [row] = evidence.rows;
    expect(row).toMatchObject({ status: 'partial', isCancelled: true });
    const read = row?.pages.filter(({ state }) => state === 'read') ?? [];
    const cancelled = row?.pages.filter(({ code }) => code === 'cancelled') ?? [];
    expect(read.length).toBeGreaterThanOrEqual(2);
    expect(cancelled.length).toBeGreaterThan(0);
    const called = new Set(evidence.calls.map(({ serial }) => serial));
    expect(evidence.calls).toHaveLength(called.size);
    expect(called.size).toBeLessThanOrEqual((row?.pages.length ?? 0) - cancelled.length + PLACES);
  });
});
