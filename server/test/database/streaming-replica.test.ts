import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { Caller } from '../../../test/house/caller.ts';
import type { DatabaseProgram } from '../../../test/house/database-program.ts';
import { hostProduct } from '../../../test/house/hosted-product.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { type Product } from '../../../test/house/product.ts';
import { linesOf, readArchive } from '../../../test/house/read-archive.ts';
import { ScriptedEngines } from '../../../test/house/scripted-engines.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { openConnections } from '../../src/database/connections.ts';
import { startEmbedded } from '../../src/database/embedded.ts';
import { migrate } from '../../src/database/orm.ts';
import { type Pool, query } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { startStandby } from './standby.ts';

const log = makeLog('silent');
const NEAR_MS = 4000;
/** For who reads from a replica that has stood still. */
const FAR_MS = '3600000';
const stack = new AsyncDisposableStack();
let mainUrl: string;
let standby: DatabaseProgram;
let product: Product;

/** A service over a PostgreSQL of its own and a real replica of that; its heartbeats show how near the replica is. */
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ocr-router-main-'));
  await chmod(dataDir, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const main = await startEmbedded({ dataDir, log, durable: false });
  stack.defer(() => main.stop());
  mainUrl = main.url;
  await migrate(mainUrl);
  standby = stack.use(await startStandby(mainUrl, ['max_standby_streaming_delay=0']));
  const engines = stack.use(await ScriptedEngines.start());
  const env = { REPORTS_DATABASE_URL: standby.url, REPORTS_MAX_LAG_MS: String(NEAR_MS), LOG_LEVEL: 'info' };
  product = stack.use(await hostProduct({ databaseUrl: mainUrl, engines: [engines.entry('reader')], env }));
}, 180_000);
afterAll(() => stack.disposeAsync());

interface ExportedRequest {
  readonly request_id: string;
  readonly page_results: readonly { readonly text: string | null }[];
}

const IN_THE_WAY = '40001';

async function replay(verb: 'pause' | 'resume'): Promise<void> {
  await runSql(standby.url, `select pg_wal_replay_${verb}()`).catch((error: Error & { code?: string }) => {
    // What is repeated from then on may end the very statement that resumed it.
    if (verb === 'pause' || error.code !== IN_THE_WAY) throw error;
  });
}

const IS_COPY = { name: 'is-copy', text: 'select pg_is_in_recovery() as "isCopy"' };
async function asksCopy(pool: Pool): Promise<boolean> {
  const [row] = await query<{ isCopy: boolean }>(pool, IS_COPY, []);
  return row?.isCopy === true;
}

const connect = (maxLagMs: number) =>
  openConnections(mainUrl, { max: 2, replica: { url: standby.url, maxLagMs }, log: makeLog('silent') });

describe('REPORTS_DATABASE_URL with a streaming replica', () => {
  it('is asked while it follows, left alone while it is behind, and asked again when it has caught up', async () => {
    await using pools = connect(NEAR_MS);
    await until('the replica is asked', () => asksCopy(pools.reports));
    for (const pool of [pools.hot, pools.background, pools.monitoring]) expect(await asksCopy(pool)).toBe(false);
    await replay('pause');
    try {
      await until('the main one is asked', async () => !(await asksCopy(pools.reports)));
    } finally {
      await replay('resume');
    }
    await until('the replica is asked again', () => asksCopy(pools.reports));
  });

  it('the service lists what its replica has not got yet, once that is too far behind', async () => {
    await using admin = await openHouseAdmin(mainUrl);
    const { accountId, apiKey } = await makeAccount(admin);
    const caller = new Caller(product.url, apiKey);
    const dashboard = new Caller(product.dashboardUrl, apiKey);
    const listed = async () =>
      (await dashboard.get<{ total: number }>(`/api/usage?${new URLSearchParams({ user_id: accountId })}`)).body.total;
    expect((await caller.ocr(await pictureBody())).status).toBe(200);
    await until('the first request is listed', async () => (await listed()) === 1);
    await replay('pause');
    try {
      expect((await caller.ocr(await pictureBody())).status).toBe(200);
      await until('the second is listed, from the main database', async () => (await listed()) === 2);
      const there = `select id from ocr_request where account_id = '${accountId}'`;
      expect(await readSql(mainUrl, there)).toHaveLength(2);
      expect(await readSql(standby.url, there)).toHaveLength(1);
    } finally {
      await replay('resume');
    }
    await until('it says that it reads from the replica again', () =>
      product.logs().includes('reports are read from the replica again'),
    );
    expect(product.logs()).toContain('reports are read from the main database: not from the replica');
    expect(await listed()).toBe(2);
  });

  it('no export has what was deleted a moment ago, or may not be kept any more, though the replica still has it', async () => {
    await using admin = await openHouseAdmin(mainUrl);
    const { accountId, apiKey } = await makeAccount(admin);
    const caller = new Caller(product.url, apiKey);
    const send = async () => (await caller.ocr(await pictureBody())).body.request_id;
    const [deleted, kept] = [await send(), await send()];
    const texts = `select text from ocr_page p join ocr_request r on r.id = p.request_id
      where r.account_id = '${accountId}' and text = 'read by reader'`;
    await until('the replica has both', async () => (await readSql(standby.url, texts)).length === 2);
    const env = { REPORTS_DATABASE_URL: standby.url, REPORTS_MAX_LAG_MS: FAR_MS };
    await using patient = await hostProduct({ databaseUrl: mainUrl, env });
    const exported = async () => {
      const url = new URL('/api/export', patient.dashboardUrl);
      const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
      return linesOf<ExportedRequest>(await readArchive(Buffer.from(await response.arrayBuffer())), 'requests');
    };
    const textOf = (requests: readonly ExportedRequest[], wanted: string | undefined) =>
      requests.find(({ request_id: id }) => id === wanted)?.page_results.map(({ text }) => text);
    await replay('pause');
    try {
      expect((await caller.call('DELETE', `/v1/ocr/${deleted}`)).status).toBe(204);
      const requests = await exported();
      expect([deleted, kept].map((id) => textOf(requests, id))).toEqual([[null], ['read by reader']]);
      await admin.setHistory(accountId, false);
      expect(textOf(await exported(), kept)).toEqual([null]);
      expect(await readSql(standby.url, texts)).toHaveLength(2);
    } finally {
      await replay('resume');
    }
  });

  it('asks the main one when the replica ends a statement that stands in the way of what it has to repeat', async () => {
    // At once, so that who sees the table there sees its row as well: a report of no rows would be over before it is seen.
    await runSql(mainUrl, 'begin; create table in_the_way (n int); insert into in_the_way values (1); commit');
    await using pools = connect(3_600_000);
    await until('the replica is asked', () => asksCopy(pools.reports));
    await until('it has the table', async () => {
      const [row] = await readSql<{ found: boolean }>(
        standby.url,
        `select to_regclass('in_the_way') is not null as found`,
      );
      return row?.found;
    });
    const text =
      'select pg_is_in_recovery() as "isCopy", pg_sleep(case when pg_is_in_recovery() then 60 else 0 end) from in_the_way';
    const report = query<{ isCopy: boolean }>(pools.reports, { name: 'in-the-way', text }, []);
    await until('the statement is under way there', async () => {
      const running = `select pid from pg_stat_activity where wait_event = 'PgSleep'`;
      return (await readSql(standby.url, running)).length === 1;
    });
    // Moves the table, which whoever reads it there must let go of.
    await runSql(mainUrl, 'begin; truncate in_the_way; insert into in_the_way values (2); commit');
    expect(await report).toEqual([{ isCopy: false, pg_sleep: '' }]);
    await until('the replica has counted the conflict', async () => {
      const [row] = await readSql<{ n: number }>(
        standby.url,
        'select confl_lock::int as n from pg_stat_database_conflicts where datname = current_database()',
      );
      return row?.n;
    });
  });
});
