import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { runSql } from '../../../test/house/sql.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { CLAIM } from '../../src/requests/store/lease-sql.ts';
import { Leases } from '../../src/requests/store/leases.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const ENDED = 30_000;
const QUEUED = 400;

let pool: Pool;

/** Requests with ids that begin with a letter of their own. */
const REQUESTS = `
  insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, finished_at)
  select 'ocr_' || $2 || lpad(n::text, 25, '0'), $1::uuid, 'a', 'a', 'async', '{}', $3::text,
    case when $3 = 'queued' then 'processing' else $3 end, 0, case when $3 = 'queued' then null else now() end
  from generate_series(1, $4::int) n`;

beforeAll(async () => {
  const url = await createDatabase();
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  await runSql(url, REQUESTS, [ACCOUNT, 'A', 'succeeded', ENDED]);
  await runSql(url, 'analyze ocr_request'); // as autovacuum last saw it: nothing waited
  await runSql(url, REQUESTS, [ACCOUNT, 'B', 'queued', QUEUED]);
  await runSql(
    url,
    `insert into queued_request (request_id, engine, account_id, level, seq)
     select id, 'a', account_id, 1, row_number() over (order by id) from ocr_request where status = 'queued'`,
  );
  await runSql(url, 'analyze queued_request');
  pool = openPool(url, { max: 1, log: makeLog('silent') });
});
afterAll(() => pool.end());

it('a claim looks its requests up by their ids, and reads no others of the queue beside many that have ended', async () => {
  const sent: { name: string; values: unknown[] }[] = [];
  const noting = Object.assign(Object.create(pool), {
    ask: (prepared: { name: string; text: string; values: unknown[] }) => {
      sent.push({ name: prepared.name, values: [...prepared.values] });
      return pool.ask({ ...prepared, values: [...prepared.values] });
    },
  }) as Pool;
  const leases = new Leases(noting, { owner: 'a', leaseMs: 10_000 });
  expect((await leases.claim({ id: 'a' }, 4)).claimed).toHaveLength(4);

  const values = sent.find(({ name }) => name === CLAIM.name)?.values;
  const explain = { text: `explain (analyze, timing off, summary off) ${CLAIM.text}`, values };
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(explain);
  const plan = rows.map((row) => row['QUERY PLAN']);
  const looked = plan.filter((line) => /Scan using \w+ on ocr_request /.test(line));
  expect(looked.length, plan.join('\n')).toBeGreaterThanOrEqual(3);
  for (const line of looked) expect(line).toContain('ocr_request_pkey');
});
