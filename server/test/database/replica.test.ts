import { expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { openConnections } from '../../src/database/connections.ts';
import { type Pool, query } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const NAME = { name: 'which-database', text: 'select current_database() as name' };

async function asked(pool: Pool): Promise<string> {
  const [row] = await query<{ name: string }>(pool, NAME, []);
  return row?.name ?? '';
}

/** As if a worker's heartbeat had come over so many seconds ago. */
function beat(databaseUrl: string, secondsAgo: number): Promise<unknown> {
  return runSql(
    databaseUrl,
    `insert into lease_holder (owner, expires_at) values ('worker', now() + interval '${10 - secondsAgo} seconds')
     on conflict (owner) do update set expires_at = excluded.expires_at`,
  );
}

it('reports are read from the replica while it is near, and everything else never', async () => {
  // Two databases: which one answers shows in its name.
  const [main, copy] = [await createDatabase(), await createDatabase()];
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const replica = { url: copy, maxLagMs: 20_000 };
  await using pools = openConnections(main, { max: 2, replica, log: makeLog('silent') });
  // Nothing is known of it: no heartbeat has come over.
  expect(await asked(pools.reports)).toBe(nameOf(main));
  await beat(copy, 1);
  await until('the replica is asked', async () => (await asked(pools.reports)) === nameOf(copy));
  for (const pool of [pools.hot, pools.background, pools.monitoring]) expect(await asked(pool)).toBe(nameOf(main));
  await beat(copy, 60);
  await until('the main database is asked again', async () => (await asked(pools.reports)) === nameOf(main));
  await beat(copy, 1);
  await until('the replica has caught up', async () => (await asked(pools.reports)) === nameOf(copy));
  const [row] = await query<{ setting: string }>(
    pools.reports,
    { name: 'limit', text: `select setting from pg_settings where name = 'statement_timeout'` },
    [],
  );
  expect(Number(row?.setting)).toBeGreaterThan(0);
});

it('a replica that goes away in the middle of a statement loses no report', async () => {
  const [main, copy] = [await createDatabase(), await createDatabase()];
  await beat(copy, 0);
  const replica = { url: copy, maxLagMs: 3_600_000 };
  await using pools = openConnections(main, { max: 2, replica, log: makeLog('silent') });
  const { pathname } = new URL(copy);
  await until('the replica is asked', async () => (await asked(pools.reports)) === pathname.slice(1));
  const slow = { name: 'slow', text: 'select current_database() as name, pg_sleep(2)' };
  const report = query<{ name: string }>(pools.reports, slow, []);
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${pathname.slice(1)}' and query like '%pg_sleep(2)%' and pid <> pg_backend_pid()`;
  await until('the statement is there and is ended', async () => {
    const { rows } = await pools.hot.query(ended);
    return rows.length > 0;
  });
  expect((await report)[0]?.name).toBe(new URL(main).pathname.slice(1));
});
