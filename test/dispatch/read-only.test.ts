import { afterAll, expect, it } from 'vitest';
import { DatabaseProxy } from '../house/database-proxy.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const [way, otherWay] = [await DatabaseProxy.open(), await DatabaseProxy.open()];
const house = await openHouse({ proxy: way });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  for (const proxy of [way, otherWay]) await proxy[Symbol.asyncDispose]();
});

const REQUESTS = 3;
const SWEEPS = 4;

/** A failover as its clients see it: sessions end, and new ones may not write; or may again. */
async function turn(readOnly: 'on' | 'off'): Promise<void> {
  const url = new URL(house.databaseUrl);
  const name = url.pathname.slice(1);
  url.searchParams.set('options', '-c default_transaction_read_only=off'); // whoever turns it may write
  await runSql(url.href, `alter database "${name}" set default_transaction_read_only = ${readOnly}`, []);
  const others =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';
  await runSql(url.href, others, [name]);
}

it('takes no process for dead that could not renew its lease because nobody could write', async () => {
  await using _other = await hostProduct({
    databaseUrl: otherWay.urlTo(house.databaseUrl),
    engines: [house.engines.entry('reader')],
  });
  const { caller, accountId } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read once');
  });
  for (let i = 0; i < REQUESTS; i++) {
    expect((await caller.ocr(await pictureBody('reader', { mode: 'async' }))).status).toBe(202);
  }
  await house.engines.called('reader', REQUESTS);
  await turn('on');
  await until('all leases have run out', async () => {
    const alive = "select 1 from lease_holder where expires_at > now() - interval '3 seconds'";
    return (await readSql(house.databaseUrl, alive)).length === 0;
  });
  way.goAway(); // this one is back a little later than the other
  await turn('off');
  const swept = otherWay.seen('lease-dead-owners');
  await until('the other one has swept', () => otherWay.seen('lease-dead-owners') >= swept + SWEEPS);
  way.comeBack();
  gate.open();
  const rows = await until('all are read', async () => {
    const all = await readSql<{ status: string; starts: number; fence: number }>(
      house.databaseUrl,
      `select status, starts, fence from ocr_request where account_id = '${accountId}'`,
    );
    return all.every(({ status }) => status === 'succeeded') && all;
  });
  expect(rows).toEqual(Array.from({ length: REQUESTS }, () => ({ status: 'succeeded', starts: 1, fence: 1 })));
  expect(house.engines.calls('reader')).toHaveLength(REQUESTS);
});
