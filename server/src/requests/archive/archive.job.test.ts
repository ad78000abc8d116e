import { expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { openPool } from '../../database/pool.ts';
import { timeOfId } from '../../platform/ids.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { boundOf } from './archive.job.ts';

it('the months that stay are counted by the database’s clock, also where that of the process is years ahead', async () => {
  const pool = openPool(await createDatabase(), { max: 1, log: makeLog('silent') });
  onTestFinished(() => pool.end());
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 12, 1));
  vi.setSystemTime(new Date(Date.UTC(now.getUTCFullYear() + 2, now.getUTCMonth(), 1)));
  onTestFinished(() => void vi.useRealTimers());
  expect(timeOfId(await boundOf(pool, 12))).toEqual(first);
});
