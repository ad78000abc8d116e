import { afterEach, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { openPool, type Pool, query, transaction } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const PID = { name: 'pid', text: 'select pg_backend_pid() as pid' };
const SLOW_PID = { name: 'slow-pid', text: 'select pg_backend_pid() as pid, pg_sleep(0.1)' };

const opened: Pool[] = [];

async function poolOf(max: number): Promise<Pool> {
  const pool = openPool(await createDatabase(), { max, log: makeLog('silent') });
  opened.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.ending || pool.end()));
});

async function pidOf(pool: Pool, statement = PID): Promise<number> {
  const [row] = await query<{ pid: number }>(pool, statement, []);
  return row?.pid ?? 0;
}

it('the next statement goes out at once, on the connection that has answered', async () => {
  const pool = await poolOf(4);
  const pid = await pidOf(pool);
  const handedOut = vi.spyOn(pool, 'connect');
  expect(await pidOf(pool)).toBe(pid);
  expect(await pidOf(pool)).toBe(pid);
  expect(handedOut).not.toHaveBeenCalled();
});

it('statements side by side have a connection each', async () => {
  const pool = await poolOf(4);
  const pids = () => Promise.all([pidOf(pool, SLOW_PID), pidOf(pool, SLOW_PID), pidOf(pool, SLOW_PID)]);
  const first = await pids();
  expect(new Set(first).size).toBe(3);
  expect(new Set(await pids())).toEqual(new Set(first));
});

it('nobody waits for a connection that is only kept', async () => {
  const pool = await poolOf(1);
  const pid = await pidOf(pool);
  const inTransaction = await transaction(pool, async (client) => {
    const [row] = await query<{ pid: number }>(client, PID, []);
    return row?.pid;
  });
  expect(inTransaction).toBe(pid);
  expect((await pool.query<{ pid: number }>(PID)).rows[0]?.pid).toBe(pid);
});

it('two who ask the pool in one turn have a connection each', async () => {
  const pool = await poolOf(2);
  await Promise.all([pidOf(pool, SLOW_PID), pidOf(pool, SLOW_PID)]);
  const asked = [pool.connect(), pool.connect()];
  const { waitingCount, idleCount } = pool;
  for (const client of await Promise.all(asked)) client.release();
  expect(waitingCount).toBeLessThanOrEqual(idleCount); // nothing was kept from them
});

it('who waits for a connection has it before one is kept', async () => {
  const pool = await poolOf(1);
  const order: string[] = [];
  const asked = async (name: string) => {
    await pidOf(pool, SLOW_PID);
    order.push(name);
  };
  const first = asked('first');
  await until('it has the connection', () => pool.totalCount === 1);
  await Promise.all([first, transaction(pool, async () => void order.push('transaction')), asked('last')]);
  expect(order).toEqual(['first', 'transaction', 'last']);
});

it('one that has broken meanwhile is not asked again', async () => {
  const pool = await poolOf(1);
  const pid = await pidOf(pool);
  const broken = vi.spyOn(pool, 'onBroken');
  await runSql(String(pool.options.connectionString), `select pg_terminate_backend(${pid})`);
  await until('the end is known', () => broken.mock.calls.length > 0);
  expect(await pidOf(pool)).not.toBe(pid);
  expect(pool.totalCount).toBe(1);
});

it('one on which a statement failed is given up', async () => {
  const pool = await poolOf(1);
  await pidOf(pool);
  await expect(query(pool, { name: 'wrong', text: 'select 1 / 0' }, [])).rejects.toThrow('division by zero');
  expect(pool.totalCount).toBe(0);
  expect(await pidOf(pool)).toBeGreaterThan(0);
});

it('the pool has back what nothing is asked on, while others are', async () => {
  const pool = await poolOf(3);
  await Promise.all([pidOf(pool, SLOW_PID), pidOf(pool, SLOW_PID), pidOf(pool, SLOW_PID)]);
  expect(pool.idleCount).toBe(0);
  await until('two are back', async () => {
    await pidOf(pool);
    return pool.idleCount === 2;
  });
  await until('all are back', () => pool.idleCount === 3);
});

it('a pool ends without waiting for what is kept', async () => {
  const pool = await poolOf(2);
  const late = pidOf(pool, SLOW_PID);
  await pidOf(pool);
  const ended = pool.end();
  expect(await late).toBeGreaterThan(0);
  await ended;
  expect(pool.totalCount).toBe(0);
});
