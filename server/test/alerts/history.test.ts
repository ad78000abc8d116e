import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool, query } from '../../src/database/pool.ts';
import { AlertHistory } from '../../src/monitoring/alerts/alert-history.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const pool = openPool(await createDatabase(), { max: 2, log: makeLog('silent') });
afterAll(() => pool.end());

it('finds the alerts of a time: whatever was there in it, also what began before and what fires still', async () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  const insert = async (id: string, began: number, ended: number | null) =>
    query(
      pool,
      {
        name: 'test-alert',
        text: `insert into alert (id, rule_id, kind, engine, title, detail, began_at, ended_at)
               values ($1, $1, 'engine_down', 'reader', '', '', $2, $3)`,
      },
      [id, at(began), ended === null ? null : at(ended)],
    );
  await insert('alt_1', 1, 2);
  await insert('alt_2', 1, 6);
  await insert('alt_3', 4, 5);
  await insert('alt_4', 5, null);
  await insert('alt_5', 8, 9);
  const history = new AlertHistory(pool);
  const found = async (from: number | null, to: number | null) => {
    const time = { from: from === null ? null : at(from), to: to === null ? null : at(to) };
    const page = await history.page({ size: 10, before: null, engineId: null, ...time });
    return page.map(({ id }) => id.slice(4)).join('');
  };
  expect(await found(null, null)).toBe('54321');
  expect(await found(3, 7)).toBe('432');
  expect(await found(6, null)).toBe('542');
  expect(await found(null, 4)).toBe('21');
  expect(await found(2, 4)).toBe('21');
});
