import { describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { Caller } from '../../../test/house/caller.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { hostProduct } from '../../../test/house/hosted-product.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { missingPgbouncer, startPgbouncer } from '../../../test/house/pgbouncer.ts';
import { ScriptedEngines } from '../../../test/house/scripted-engines.ts';
import { readSql } from '../../../test/house/sql.ts';
import { migrate } from '../../src/database/orm.ts';
import { requireKeptSessions } from '../../src/database/pooler.ts';

const missing = missingPgbouncer();
if (missing) console.log(`skipped: ${missing}`);
const ADVICE = /DATABASE_URL: at 127\.0\.0\.1:\d+ answers a connection pooler .+pool_mode = session/;

describe.skipIf(missing !== null)('behind PgBouncer', () => {
  it.each([
    ['refuses the settings of a connection', { pool_mode: 'transaction' }],
    ['forgets them and what was prepared', { pool_mode: 'transaction', ignore_startup_parameters: 'options' }],
  ])('the start says what to set where it %s', async (_what, settings) => {
    const databaseUrl = await createDatabase();
    await using pooler = await startPgbouncer(databaseUrl, settings);
    await expect(hostProduct({ databaseUrl: pooler.url })).rejects.toThrow(ADVICE);
  });

  it('a migration leaves no lock behind on the connection of the pooler', async () => {
    const databaseUrl = await createDatabase();
    const settings = { pool_mode: 'transaction', ignore_startup_parameters: 'options' };
    await using pooler = await startPgbouncer(databaseUrl, settings);
    await migrate(pooler.url);
    expect(await readSql(databaseUrl, "select pid from pg_locks where locktype = 'advisory' and granted")).toEqual([]);
    await migrate(databaseUrl);
  });

  it('works in session mode', async () => {
    const databaseUrl = await createDatabase();
    const settings = { pool_mode: 'session', ignore_startup_parameters: 'options', default_pool_size: '60' };
    await using pooler = await startPgbouncer(databaseUrl, settings);
    await using engines = await ScriptedEngines.start();
    await using product = await hostProduct({ databaseUrl: pooler.url, engines: [engines.entry('reader')] });
    await using admin = await openHouseAdmin(databaseUrl);
    const { apiKey } = await makeAccount(admin);
    expect((await new Caller(product.url, apiKey).ocr(await pictureBody())).body).toMatchObject({
      status: 'succeeded',
    });
  });
});

it('PostgreSQL itself passes', async () => {
  await expect(requireKeptSessions(await createDatabase())).resolves.toBeUndefined();
});
