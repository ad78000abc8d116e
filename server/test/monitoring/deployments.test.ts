import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool } from '../../src/database/pool.ts';
import { DeploymentLog } from '../../src/monitoring/deployments.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const pool = openPool(await createDatabase(), { max: 5, log: makeLog('silent') });
afterAll(() => pool.end());

const log = new DeploymentLog(pool);
const versions = async (most = 10) => (await log.list(most)).map(({ version }) => version);

it('has each change of the version once, however many processes begin with it, and a way back as well', async () => {
  expect(await versions()).toEqual([]);
  await Promise.all(Array.from({ length: 5 }, () => log.begin('1.0.0')));
  await log.begin('1.0.0');
  expect(await versions()).toEqual(['1.0.0']);
  await log.begin('1.1.0');
  await log.begin('1.1.0');
  await log.begin('1.0.0');
  expect(await versions()).toEqual(['1.0.0', '1.1.0', '1.0.0']);
  expect(await versions(1)).toEqual(['1.0.0']);
  const [newest] = await log.list(1);
  expect(Math.abs(Date.now() - Number(newest?.beganAt))).toBeLessThan(60_000);
});

it('keeps no more than a thousand', async () => {
  await pool.query(`insert into service_version (version) select 'v' || n from generate_series(1, 2000) n`);
  await log.begin('2.0.0');
  const { rows } = await pool.query<{ kept: number }>('select count(*)::int as kept from service_version');
  expect(rows[0]?.kept).toBeLessThanOrEqual(1001);
  expect((await versions(2))[0]).toBe('2.0.0');
});
