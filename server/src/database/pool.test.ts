import { expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { runSql } from '../../../test/house/sql.ts';
import { makeLog } from '../platform/logging/log.ts';
import { openPool } from './pool.ts';
import { connectionLimits, type PoolKind } from './sessions/connection-limits.ts';

/** By name, so that the compiler asks for a new kind. */
const KINDS: Readonly<Record<PoolKind, true>> = {
  hot: true,
  entities: true,
  monitoring: true,
  reports: true,
  texts: true,
  background: true,
  admin: true,
};

it.each(Object.keys(KINDS) as PoolKind[])('no wait of a connection for %s is without an end', (kind) => {
  const { options, query_timeout: answerMs, keepAlive, keepAliveInitialDelayMillis } = connectionLimits(kind);
  const bounds = Object.fromEntries([...options.matchAll(/-c (\w+)=(\d+)(?= |$)/g)].map(([, k, v]) => [k, Number(v)]));
  const some = expect.toSatisfy((value: unknown) => Number(value) > 0);
  expect(bounds).toMatchObject({
    statement_timeout: some,
    lock_timeout: some,
    idle_in_transaction_session_timeout: some,
    tcp_keepalives_idle: some,
    tcp_keepalives_interval: some,
    tcp_keepalives_count: some,
    tcp_user_timeout: some,
  });
  expect(bounds['lock_timeout']).toBeLessThan(bounds['statement_timeout'] ?? 0);
  // It is the database that ends a statement: the connection is kept then.
  expect(answerMs).toBeGreaterThan(bounds['statement_timeout'] ?? Number.POSITIVE_INFINITY);
  expect(keepAlive && keepAliveInitialDelayMillis).toBeGreaterThan(0);
});

it('reads dates and bytes of a database that writes them in another way', async () => {
  const url = await createDatabase();
  const set = `alter database ${new URL(url).pathname.slice(1)} set`;
  await runSql(url, `${set} datestyle = 'German'; ${set} timezone = 'Asia/Tokyo'; ${set} bytea_output = 'escape'`);
  const pool = openPool(url, { max: 1, log: makeLog('silent') });
  try {
    const values = `'2026-11-28T20:35:00Z'::timestamptz as at, date_trunc('day', '2026-11-28T20:35:00Z'::timestamptz)::text as day`;
    const { rows } = await pool.query(`select ${values}, '\\x0102ff'::bytea as bytes`);
    const at = new Date('2026-11-28T20:35:00Z');
    expect(rows).toEqual([{ at, day: '2026-11-28 00:00:00+00', bytes: Buffer.from([1, 2, 255]) }]);
  } finally {
    await pool.end();
  }
});
