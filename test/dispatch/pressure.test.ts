import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { says } from '../house/engine-answers.ts';
import { expectError, expectGraphqlError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { makeGate } from '../house/gate.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const ENGINES = { reader: { concurrency: 1 }, pair: { concurrency: 2 } };
const house = await openHouse({ engines: ENGINES, env: { MAX_QUEUED: '12' } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const ASYNC = { mode: 'async' };

/** Holds every call of the engines until it is opened. */
function held(...engines: (keyof typeof ENGINES)[]) {
  const gate = makeGate();
  for (const engine of engines) {
    house.engines.script(engine, async () => {
      await gate.opened;
      return says('text');
    });
  }
  return gate;
}

async function send({ caller }: HouseAccount, engine: string): Promise<number> {
  return (await caller.ocr(await pictureBody(engine, ASYNC))).status;
}

async function waiting({ accountId }: HouseAccount, engine: string): Promise<number> {
  const rows = `select 1 from queued_request where account_id = '${accountId}' and engine = '${engine}'`;
  return (await readSql(house.product.databaseUrl, rows)).length;
}

/** Until the engine is at work on as much as it takes at once, so that it takes nothing from the queue. */
async function occupy(account: HouseAccount, engine: keyof typeof ENGINES): Promise<void> {
  const { concurrency } = ENGINES[engine];
  for (let sent = 0; sent < concurrency; sent++) expect(await send(account, engine)).toBe(202);
  await until(`${engine} is at work`, () => house.engines.calls(engine).length === concurrency);
}

/** Until so many wait: what an engine has just taken from the queue is counted in it until the next look. */
function fill(account: HouseAccount, engine: string, places: number) {
  return until(`${places} wait`, async () => {
    if ((await waiting(account, engine)) < places) await send(account, engine);
    return (await waiting(account, engine)) === places;
  });
}

it('answers 503 once the queue is full, charges nothing, and leaves the key free', async () => {
  const account = await house.account({ credit: 1 });
  const { accountId, caller } = account;
  const gate = held('reader');
  await occupy(account, 'reader');
  await fill(account, 'reader', 3);
  const fifth = await pictureBody('reader', ASYNC);
  const refused = await caller.ocr(fifth, { key: 'k' });
  expectError(refused, 503, 'engine_unavailable');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  gate.open();
  await until('the queue has room again', async () => (await caller.ocr(fifth, { key: 'k' })).status !== 503);
  await until('all are read', async () => (await house.admin.showAccount(accountId)).held_usd === 0);
  await expectBalance(house, accountId, 0.95);
});

it('keeps places in the queue for others: an account has a quarter of them, an engine a half', async () => {
  const accounts = await Promise.all([1, 2, 3, 4].map(() => house.account()));
  const [greedy, second, third, elsewhere] = accounts as [HouseAccount, HouseAccount, HouseAccount, HouseAccount];
  const gate = held('reader', 'pair');
  await occupy(greedy, 'reader');
  await fill(greedy, 'reader', 3);
  expect(await send(greedy, 'reader')).toBe(503);
  await fill(second, 'reader', 3);
  expect(await send(second, 'reader')).toBe(503);
  expect(await send(third, 'reader')).toBe(503);
  await occupy(elsewhere, 'pair');
  await fill(elsewhere, 'pair', 3);
  expect(await send(elsewhere, 'pair')).toBe(503);
  expect([await waiting(greedy, 'reader'), await waiting(second, 'reader')]).toEqual([3, 3]);
  gate.open();
  await until('all are read', async () => {
    const open = await readSql(house.product.databaseUrl, 'select 1 from ocr_request where finished_at is null');
    return open.length === 0;
  });
});

it('lets accounts take turns: one’s queue does not keep out another’s single page', async () => {
  await using fair = await openHouse({ engines: ENGINES });
  const [many, single] = await Promise.all([fair.account(), fair.account()]);
  const gate = makeGate();
  const order: string[] = [];
  fair.engines.script('reader', async () => {
    await gate.opened;
    return says('text');
  });
  const sent = async (who: typeof many) => (await who.caller.ocr(await pictureBody('reader', ASYNC))).body.request_id;
  const ofMany: string[] = [];
  for (let i = 0; i < 12; i++) ofMany.push(await sent(many));
  const ofSingle = await sent(single);
  gate.open();
  await until('all are read', async () => {
    for (const [who, id] of [...ofMany.map((id) => [many, id] as const), [single, ofSingle] as const]) {
      const { body } = await who.caller.get(`/v1/ocr/${id}`);
      if (body.status === 'succeeded' && !order.includes(id)) order.push(id);
    }
    return order.length === 13;
  });
  const started = await readSql<{ id: string }>(
    fair.product.databaseUrl,
    'select id from ocr_request order by started_at, id',
  );
  expect(started.findIndex(({ id }) => id === ofSingle)).toBeLessThanOrEqual(2);
});

it('lets the pages of accounts take turns at an engine', async () => {
  const [long, short] = await Promise.all([house.account(), house.account()]);
  const order: string[] = [];
  const gate = makeGate();
  house.engines.script('pair', async (call) => {
    await gate.opened;
    // Its row is written before the other request stands in line for the engine: its picture is decoded in between.
    await sleep(600);
    order.push(call.prompt.includes('Japanese') ? 'short' : 'long');
    return says('text');
  });
  const pdf = makePdf(Array.from({ length: 10 }, (_, i) => ({ text: `page ${i}` })));
  const pages = long.caller.ocr(ocrBody('pair', pdf, { page_count: 10 }));
  await until('two pages are at the engine', () => house.engines.calls('pair').length === 2);
  const page = short.caller.ocr(await pictureBody('pair', { settings: { language: 'ja' } }));
  await until('the other request waits', async () => {
    const rows = await readSql(house.product.databaseUrl, "select 1 from ocr_request where status = 'processing'");
    return rows.length === 2;
  });
  gate.open();
  expect((await Promise.all([pages, page])).map(({ status }) => status)).toEqual([200, 200]);
  expect(order).toHaveLength(11);
  expect(order.indexOf('short')).toBeLessThanOrEqual(8);
});

it('turns documents away while memory is short, and what is sent to the dashboard, too', async () => {
  await using small = await openHouse({ env: { MAX_MEMORY_MB: '64' } });
  const { accountId, caller } = await small.account({ credit: 1 });
  const refused = await until('memory is looked at', async () => {
    const reply = await caller.ocr(await pictureBody());
    return reply.status === 503 && reply;
  });
  expectError(refused, 503, 'engine_unavailable');
  expect((await caller.get('/v1/usage')).status).toBe(200);
  expect((await small.admin.showAccount(accountId)).held_usd).toBe(0);

  const { cookie } = await small.admin.createSession(accountId, new URL(small.product.dashboardUrl));
  const browser = new Browser(small.product).take(cookie);
  const headers = { origin: browser.origin, 'content-type': 'application/pdf' };
  const page = await browser.call('POST', '/api/page-picture', { headers, body: makePdf([{ text: 'a page' }]) });
  expectError(page, 503, 'engine_unavailable', /short of memory/);
  const form = await browser.send('POST', `/api/webhooks?user_id=${accountId}`, { url: 'https://example.com/hook' });
  expectError(form, 503, 'engine_unavailable', /short of memory/);
  const json = { origin: browser.origin, 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ sessions { id } }' }).padEnd(200_000, ' ');
  expectGraphqlError(await browser.call('POST', '/graphql', { headers: json, body }), 503, 'engine_unavailable');
  expect((await browser.get(`/api/usage?user_id=${accountId}`)).status).toBe(200);
});
