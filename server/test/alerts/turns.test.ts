import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool } from '../../src/database/pool.ts';
import { EvaluationStore } from '../../src/monitoring/alerts/evaluation-store.ts';
import { RuleStore } from '../../src/monitoring/alerts/rule-store.ts';
import { CALM } from '../../src/monitoring/alerts/step.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const pool = openPool(await createDatabase(), { max: 3, log: makeLog('silent') });
afterAll(() => pool.end());

const NOTHING = { standings: [], began: [], changed: [], ended: [], told: [] };
const tell = async () => {};

it('is one process’s turn at a time, and who was overtaken writes nothing', async () => {
  const rules = new RuleStore(pool);
  await rules.begin();
  await rules.begin(); // another process
  const all = await rules.list();
  expect(all.map(({ kind }) => kind)).toEqual(['engine_down', 'error_rate', 'queue_age_seconds', 'provider_auth']);
  const store = new EvaluationStore(pool);
  const turns = await Promise.all([store.claim(60_000), store.claim(60_000)]);
  expect(turns.filter((turn) => turn !== null)).toHaveLength(1);
  const slow = turns.find((turn) => turn !== null) ?? 0n;
  const next = (await store.claim(0)) ?? 0n;
  expect(next).toBe(slow + 1n);
  const standing = { ...CALM, bad: 1, ruleId: all[0]?.id ?? '', engineId: 'reader' };
  const now = new Date();
  expect(await store.write({ ...NOTHING, standings: [standing] }, { fence: slow, now, tell })).toBe(false);
  expect((await store.known()).standings).toEqual([]);
  expect(await store.write({ ...NOTHING, standings: [standing] }, { fence: next, now, tell })).toBe(true);
  expect((await store.known()).standings).toEqual([standing]);
});
