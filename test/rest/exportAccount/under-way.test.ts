import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { type HouseAccount, openHouse } from '../../house/house.ts';
import { runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';

const AT_ONCE = 4;
/** Eight times as fast as keeps one's place, and so slow that an export outlasts another one's wait. */
const READ_BYTES_PER_SECOND = 524_288;

const house = await openHouse({ engines: { reader: {} } });
afterAll(() => house[Symbol.asyncDispose]());

/**
 * Megabytes that do not pack, so that an export of them goes on for as long as nobody reads it: a text is longer than what a
 * packer remembers.
 */
async function withMuch(): Promise<HouseAccount> {
  const account = await house.account();
  await runSql(
    house.databaseUrl,
    `with made as (
       insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, pages, pages_total,
         text_retained, hold, created_at, started_at, finished_at)
       select 'ocr_00' || upper(substr(md5('${account.accountId}' || n), 1, 24)), '${account.accountId}', 'reader', 'reader', 'sync',
         '{"url": null, "native": {}, "webhookUrl": null}', 'succeeded', 'succeeded', 1, 1, true, 0, now(), now(), now()
       from generate_series(1, 300) n
       returning id)
     insert into ocr_page (request_id, number, engine, source, state, text, cost)
     select id, 1, 'reader', 'engine', 'read', (select string_agg(md5(i::text), '') from generate_series(1, 4000) i), 0 from made`,
  );
  return account;
}

/** For as many exports as are made at a time. */
const accounts = await Promise.all(Array.from({ length: AT_ONCE }, withMuch));

async function exported({ apiKey }: HouseAccount, signal?: AbortSignal): Promise<Response> {
  const url = new URL('/api/export', house.product.dashboardUrl);
  return fetch(url, { headers: { authorization: `Bearer ${apiKey}` }, ...(signal && { signal }) });
}

/** One that is under way; the account may have had another one before. */
function begun(account: HouseAccount, signal: AbortSignal): Promise<Response> {
  return until('the export begins', async () => {
    const response = await exported(account, signal);
    if (response.status === 200) return response;
    await response.body?.cancel();
    return null;
  });
}

/** Its status; nothing of it is read. */
async function statusOf(account: HouseAccount): Promise<number> {
  const { status, body } = await exported(account);
  await body?.cancel();
  return status;
}

it('ends with who reads it', async () => {
  const [account] = accounts as [HouseAccount];
  const leaving = new AbortController();
  const response = await exported(account, leaving.signal);
  expect((await response.body?.getReader().read())?.done).toBe(false);
  expect(await statusOf(account)).toBe(400);
  leaving.abort();
  await until('the right is given back', async () => (await statusOf(account)) === 200);
});

it('of somebody who does not read it ends when another account waits for its turn', async () => {
  const leaving = new AbortController();
  const held = await Promise.all(accounts.map((account) => begun(account, leaving.signal)));
  const waiting = await house.account(); // until nothing more goes into the others' sockets
  await until('it has its turn', async () => (await statusOf(waiting)) === 200);
  const ends = await Promise.allSettled(held.map((response) => response.arrayBuffer()));
  expect(ends.map(({ status }) => status)).toContain('rejected');
  leaving.abort();
});

it('waits while as many are read as are made at a time, and says when to come again', async () => {
  const leaving = new AbortController();
  let begunNow = 0;
  const reading = accounts.map(async (account) => {
    const reader = (await begun(account, leaving.signal)).body?.getReader();
    begunNow += 1;
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read())
      await sleep((piece.value.length / READ_BYTES_PER_SECOND) * 1000);
  });
  const broken = Promise.race(reading.map((read) => read.then(() => Promise.reject(new Error('an export has ended')))));
  await Promise.race([broken, until('all are read', () => begunNow === accounts.length)]);
  const refused = await exported(await house.account());
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  leaving.abort();
  await Promise.allSettled(reading);
});
