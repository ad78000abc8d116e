import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { Caller } from '../../../test/house/caller.ts';
import { openHouse } from '../../../test/house/house.ts';
import { until } from '../../../test/house/until.ts';
import { openConnections } from '../../src/database/connections.ts';
import { openOrm } from '../../src/database/orm.ts';
import { asAppError } from '../../src/platform/errors.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const house = await openHouse({ engines: { reader: {} } });
afterAll(() => house[Symbol.asyncDispose]());

const PUBLIC = ['/v1/engines/stats', '/v1/engines/reader/latency', '/v1/engines/reader/uptime', '/v1/engines/health'];
/** More than there are connections for reports. */
const REPORTS = 8;

it('public figures answer while reports wait for the database', async () => {
  const { accountId, apiKey } = await house.account();
  const dashboard = new Caller(house.product.dashboardUrl, apiKey);
  await dashboard.get(`/api/usage?user_id=${accountId}`);
  const client = new Client({ connectionString: house.product.databaseUrl });
  await client.connect();
  try {
    await client.query('begin; lock table ocr_request in access exclusive mode');
    let ended = 0;
    const reports = Array.from({ length: REPORTS }, () =>
      dashboard.get(`/api/usage?user_id=${accountId}`).finally(() => {
        ended++;
      }),
    );
    const waiting = `select from pg_locks where relation = 'ocr_request'::regclass and not granted`;
    await until('reports wait', async () => ((await client.query(waiting)).rowCount ?? 0) >= 2);
    for (const path of PUBLIC) {
      const { status } = await house.stranger.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(ended).toBe(0);
    }
    await client.query('rollback');
    for (const { status } of await Promise.all(reports)) expect(status).toBe(200);
  } finally {
    await client.end();
  }
});

it('a report that takes too long ends, and says so', async () => {
  await using pools = openConnections(house.product.databaseUrl, { max: 2, log: makeLog('silent') });
  const error = asAppError(await pools.monitoring.query('select pg_sleep(600)').catch((thrown: Error) => thrown));
  expect(error).toMatchObject({ code: 'internal_error', status: 500 });
  expect(error.message).toContain('took longer than the service allows');
  expect(error.message).not.toContain('charged'); // it may be about a request that was
  for (const pool of [pools.monitoring, pools.reports, pools.background]) {
    const { rows } = await pool.query(
      `select setting::int > 0 as limited from pg_settings where name = 'statement_timeout'`,
    );
    expect(rows).toEqual([{ limited: true }]);
  }
});

const BOUNDS = `select name, setting::int as value from pg_settings where name in ('statement_timeout', 'lock_timeout',
  'idle_in_transaction_session_timeout', 'tcp_keepalives_idle') order by name`;

it.each([
  [
    'written by hand',
    async () => {
      await using pools = openConnections(house.product.databaseUrl, { max: 2, log: makeLog('silent') });
      return (await pools.hot.query(BOUNDS)).rows;
    },
  ],
  [
    'of the ORM',
    async () => {
      const orm = await openOrm(house.product.databaseUrl, []);
      return orm.em.execute(BOUNDS).finally(() => orm.close(true));
    },
  ],
])('statements %s wait neither for a lock nor for a client that is gone for long', async (_name, bounds) => {
  expect(await bounds()).toEqual([
    { name: 'idle_in_transaction_session_timeout', value: 10_000 },
    { name: 'lock_timeout', value: 3000 },
    { name: 'statement_timeout', value: 9000 },
    { name: 'tcp_keepalives_idle', value: 10 },
  ]);
});
