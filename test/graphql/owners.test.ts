import { beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { says } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

let house: House;
let owner: HouseAccount;
let browser: Browser;
let foreign: Browser;

beforeAll(async () => {
  house = await sharedHouse('several');
  owner = await house.account();
  browser = await browserOf(owner);
  foreign = await browserOf(await house.account());
});

async function browserOf(account: HouseAccount): Promise<Browser> {
  const { cookie } = await house.admin.createSession(account.accountId, new URL(house.product.dashboardUrl));
  return new Browser(house.product).take(cookie);
}

async function read<T>(of: Browser, query: string, variables: object = {}) {
  const { body } = await of.graphql<{ data: T; errors?: { extensions: { code: string } }[] }>(query, variables);
  return { data: body.data, codes: (body.errors ?? []).map(({ extensions }) => extensions.code) };
}

it('shows what was used by day, engine and key, and what a key spent', async () => {
  house.engines.script('reader', () => says('read'));
  await owner.caller.ocr(await pictureBody());
  const { data } = await read<{
    usageSummary: Record<string, object>;
    account: { keys: { id: string; usage30Days: object }[] };
  }>(
    browser,
    `{ usageSummary { total { requests pages failed cost } byDay { of requests } byEngine { of cost } byKey { of cost } }
       account { keys { id usage30Days { requests pages spent } } } }`,
  );
  const [key] = data.account.keys;
  expect(data.usageSummary).toEqual({
    total: { requests: 1, pages: 1, failed: 0, cost: 0.01 },
    byDay: [{ of: new Date().toISOString().slice(0, 10), requests: 1 }],
    byEngine: [{ of: 'reader', cost: 0.01 }],
    byKey: [{ of: key?.id, cost: 0.01 }],
  });
  expect(key?.usage30Days).toEqual({ requests: 1, pages: 1, spent: 0.01 });
});

it('shows the balance after each movement, page behind page and in any time', async () => {
  const account = await house.account({ credit: 10 });
  const own = await browserOf(account);
  for (let sent = 0; sent < 3; sent++) await account.caller.ocr(await pictureBody());
  const LEDGER = `query ($after: String, $from: DateTimeISO, $to: DateTimeISO) {
    ledger(first: 2, after: $after, from: $from, to: $to) {
      nodes { kind amount balanceAfter createdAt } pageInfo { endCursor }
    } }`;
  type Line = { kind: string; amount: number; balanceAfter: number; createdAt: string };
  type Page = { ledger: { nodes: Line[]; pageInfo: { endCursor: string } } };
  const first = (await read<Page>(own, LEDGER)).data.ledger;
  const second = (await read<Page>(own, LEDGER, { after: first.pageInfo.endCursor })).data.ledger;
  const lines = [...first.nodes, ...second.nodes];
  expect(lines.map(({ kind, balanceAfter }) => [kind, balanceAfter])).toEqual([
    ['charge', 9.97],
    ['charge', 9.98],
    ['charge', 9.99],
    ['top_up', 10],
  ]);
  const [newest, , , oldest] = lines;
  const before = await read<Page>(own, LEDGER, { to: newest?.createdAt });
  expect(before.data.ledger.nodes.map(({ balanceAfter }) => balanceAfter)).toEqual([9.98, 9.99]);
  const since = await read<Page>(own, LEDGER, { from: newest?.createdAt });
  expect(since.data.ledger.nodes.map(({ balanceAfter }) => balanceAfter)).toEqual([9.97]);
  expect((await read<Page>(own, LEDGER, { to: oldest?.createdAt })).data.ledger.nodes).toEqual([]);
});

it('tells the cost before sending', async () => {
  const query = 'query ($n: Int) { estimateCost(engine: "reader", pageCount: $n) { pages reserved covered obstacle } }';
  const few = await read(browser, query, { n: 3 });
  expect(few.data).toEqual({ estimateCost: { pages: 3, reserved: 0.03, covered: true, obstacle: null } });
  expect((await read(browser, query, { n: 0 })).codes).toEqual(['invalid_request']);
  expect((await read(browser, '{ estimateCost(engine: "raeder") { pages } }')).codes).toEqual(['unknown_engine']);
});

it('names keys, and lists sessions', async () => {
  const made = await read<{ createKey: { key: { id: string } } }>(browser, 'mutation { createKey { key { id } } }');
  const { id } = made.data.createKey.key;
  const label = 'mutation ($id: ID!, $label: String) { labelKey(id: $id, label: $label) { label } }';
  expect((await read(browser, label, { id, label: 'nightly' })).data).toEqual({ labelKey: { label: 'nightly' } });
  expect((await read(browser, label, { id, label: ' ' })).data).toEqual({ labelKey: { label: null } });
  expect((await read(browser, label, { id, label: 'x'.repeat(201) })).codes).toEqual(['invalid_request']);
  expect((await read(foreign, label, { id, label: 'mine' })).codes).toEqual(['not_found']);
  expect((await read(browser, '{ sessions { current } }')).data).toEqual({ sessions: [{ current: true }] });
});

it('keeps what belongs to one account from every other one', async () => {
  const hook = 'mutation { createWebhook(url: "http://127.0.0.1:9/") { id } }';
  const { id: hookId } = (await read<{ createWebhook: { id: string } }>(browser, hook)).data.createWebhook;
  const { body } = await owner.caller.ocr(await pictureBody());
  const id = JSON.stringify(owner.accountId);
  const unseen = [
    `{ usageSummary(accountId: ${id}) { total { cost } } }`,
    `{ webhooks(accountId: ${id}) { id } }`,
    `{ webhookDeliveries(accountId: ${id}) { id } }`,
    `{ webhookDeliveries(webhookId: "${hookId}") { id } }`,
    `{ ledger(accountId: ${id}) { nodes { id } } }`,
    `{ account(id: ${id}) { email } }`,
    `{ request(id: "${body.request_id}") { id } }`,
    `mutation { rotateWebhookSecret(id: "${hookId}") { id } }`,
    `mutation { updateWebhook(id: "${hookId}", isActive: false) { id } }`,
    `mutation { deleteWebhook(id: "${hookId}") }`,
    `mutation { testWebhook(id: "${hookId}") { id } }`,
    `mutation { redeliverWebhook(deliveryId: "whd_x") { id } }`,
    `mutation { setHistory(on: false, accountId: ${id}) { id } }`,
  ];
  for (const operation of unseen) expect((await read(foreign, operation)).codes, operation).toEqual(['not_found']);
  expect((await read(foreign, `{ requests(filter: {ids: ["${body.request_id}"]}) { nodes { id } } }`)).data).toEqual({
    requests: { nodes: [] },
  });
});

it('lets operators look at webhooks of any account and send again, without seeing texts', async () => {
  const operator = await house.account({ scopes: ['operator'] });
  const sent = { mode: 'async', webhook_url: 'http://127.0.0.1:9/never' };
  const { body } = await owner.caller.ocr(await pictureBody('reader', sent));
  const LOG = 'query ($id: ID) { webhookDeliveries(accountId: $id) { id requestId status payload } }';
  const entry = await expect
    .poll(
      async () => {
        const { data } = await ask<{ webhookDeliveries: { id: string; requestId: string; status: string }[] }>(
          operator.caller,
          LOG,
          { id: owner.accountId },
        );
        return data.webhookDeliveries.filter(({ requestId }) => requestId === body.request_id);
      },
      { timeout: 15_000 },
    )
    .toHaveLength(4)
    .then(() => ask<{ webhookDeliveries: { id: string }[] }>(operator.caller, LOG, { id: owner.accountId }))
    .then(({ data }) => data.webhookDeliveries[0]);
  expect(entry).toMatchObject({ status: 'failed', payload: null });
  const again = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { status payload } }';
  expect((await ask(operator.caller, again, { id: entry?.id })).data).toEqual({
    redeliverWebhook: { status: 'pending', payload: null },
  });
});

it('tells of a low balance below the amount that the owner sets, and of none where none is set', async () => {
  const account = await house.account({ credit: 2 });
  const own = await browserOf(account);
  const BALANCE = '{ account { balance { available lowThreshold isLow } } }';
  const balance = async () => (await read<{ account: { balance: object } }>(own, BALANCE)).data.account.balance;
  const set = (usd: number | null, by = own, accountId: string | null = null) =>
    read<{ setLowBalance: object } | null>(
      by,
      'mutation ($usd: Float, $id: ID) { setLowBalance(usd: $usd, accountId: $id) { available lowThreshold isLow } }',
      { usd, id: accountId },
    );
  expect(await balance()).toEqual({ available: 2, lowThreshold: null, isLow: false });
  expect((await set(2)).data).toEqual({ setLowBalance: { available: 2, lowThreshold: 2, isLow: false } });
  await account.caller.ocr(await pictureBody());
  expect(await balance()).toEqual({ available: 1.99, lowThreshold: 2, isLow: true });
  expect((await set(null)).data).toEqual({ setLowBalance: { available: 1.99, lowThreshold: null, isLow: false } });
  expect((await set(-1)).codes).toEqual(['invalid_request']);
  expect((await set(5, foreign, account.accountId)).codes).not.toEqual([]);
  expect(await balance()).toEqual({ available: 1.99, lowThreshold: null, isLow: false });
});
