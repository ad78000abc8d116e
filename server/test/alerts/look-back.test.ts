import { afterAll, expect, it } from 'vitest';
import { attempt, writeAttempt } from '../../../test/house/attempt-table.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool } from '../../src/database/pool.ts';
import { makeCatalogue } from '../../src/engines/make-catalogue.ts';
import { type LookBackDeps, lookBack } from '../../src/monitoring/alerts/look-back.ts';
import type { WrittenRule } from '../../src/monitoring/alerts/rule-input.ts';
import { QueueHistory } from '../../src/monitoring/queue/queue-history.ts';
import { RefusalStore } from '../../src/monitoring/refusals/refusal-store.ts';
import { Series } from '../../src/monitoring/series/series.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const HOUR_MS = 3_600_000;
const pool = openPool(await createDatabase(), { max: 3, log: makeLog('silent') });
afterAll(() => pool.end());

const RULE: WrittenRule = {
  ...{ kind: 'error_rate', engineId: 'a', threshold: 0.5, severity: null },
  ...{ fireAfter: 1, recoverAfter: 1, cooldownMinutes: 0, enabled: true },
};

it('counts calls that an engine did not take, as the rule itself does, also in hours in which it did nothing else', async () => {
  const refusals = new RefusalStore(pool);
  const deps: LookBackDeps = {
    ...{ pool, refusals, checkEveryMs: 60_000 },
    catalogue: makeCatalogue([], { secrets: {}, cores: 1, engineLimitMs: 60_000 }),
    series: new Series(pool),
    queue: new QueueHistory(pool),
  };
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const refused = (before: number, calls: number, status = 503, engine = 'a') => ({
    ...{ hour: new Date(hour - before * HOUR_MS), engine, account_id: '', key_id: '', status },
    ...{ code: 'x', calls },
  });
  const counts = [refused(5, 12), refused(3, 20), refused(3, 90, 429), refused(3, 90, 503, 'b'), refused(2, 9)];
  await refusals.write({ counts, calls: [] });
  for (const before of [4, 3]) {
    const answered = attempt({ finishedAt: new Date(hour - before * HOUR_MS + 1) });
    for (let nth = 0; nth < 10; nth++) await writeAttempt(pool, answered);
  }
  const { fired } = await lookBack(RULE, deps, new Date());
  expect(fired).toEqual([
    {
      ...{ at: new Date(hour - 5 * HOUR_MS), engineId: 'a' },
      detail: '12 of 12 requests failed or were refused in this hour.',
    },
    {
      ...{ at: new Date(hour - 3 * HOUR_MS), engineId: 'a' },
      detail: '20 of 30 requests failed or were refused in this hour.',
    },
  ]);
  expect((await lookBack({ ...RULE, threshold: 0.7 }, deps, new Date())).fired).toHaveLength(1);
  expect((await lookBack({ ...RULE, kind: 'latency_p95_ms', threshold: 1 }, deps, new Date())).fired).toHaveLength(1);
});
