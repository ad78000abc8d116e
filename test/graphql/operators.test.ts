import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { says } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { makeGate } from '../house/gate.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;

beforeAll(async () => {
  house = await openHouse();
  owner = await house.account();
  operator = await house.account({ scopes: ['operator'] });
});
afterAll(() => house[Symbol.asyncDispose]());

async function browserOf(account: HouseAccount): Promise<Browser> {
  const { cookie } = await house.admin.createSession(account.accountId, new URL(house.product.dashboardUrl));
  return new Browser(house.product).take(cookie);
}

it('refuses every operation of operators to other keys', async () => {
  const account = `"${owner.accountId}"`;
  const operations = [
    'query { accounts { nodes { id } } }',
    'query { account { id } }',
    'query { queues { engineId } }',
    'query { workers { owner } }',
    'query { deployments { version } }',
    'query { pendingCosts { attemptId } }',
    'query { ledgerChecks { ok } }',
    `mutation { createAccount(email: "x@example.com") { id } }`,
    `mutation { createKey { apiKey } }`,
    `mutation { revokeKey(id: "key_x") }`,
    `mutation { setHistory(on: false) { id } }`,
    `mutation { addCredit(accountId: ${account}, usd: 1) { available } }`,
    `mutation { verifyCost(attemptId: "att_x", usd: 1) { debited } }`,
    `mutation { setEngineEnabled(id: "reader", enabled: false) { enabled } }`,
    `mutation { probeEngine(id: "reader") { status } }`,
  ];
  for (const operation of operations) {
    expect((await ask(owner.caller, operation)).codes, operation).toEqual(['insufficient_scope']);
  }
});

it('makes an account with credit and a key that works until it is revoked', async () => {
  const made = await ask<{ createAccount: { id: string } }>(
    operator.caller,
    'mutation { createAccount(email: "made@example.com", tier: "unlimited") { id history tier } }',
  );
  const { id } = made.data.createAccount;
  expect(made.data.createAccount).toMatchObject({ history: true, tier: 'unlimited' });
  const credit = await ask(
    operator.caller,
    'mutation ($id: ID!) { addCredit(accountId: $id, usd: 2.5) { available held owed spent } }',
    { id },
  );
  expect(credit.data).toEqual({ addCredit: { available: 2.5, held: 0, owed: 0, spent: 0 } });
  await expectBalance(house, id, 2.5);
  const key = await ask<{ createKey: { apiKey: string; key: { id: string; scopes: string[] } } }>(
    operator.caller,
    'mutation ($id: ID!) { createKey(accountId: $id, label: "first") { apiKey key { id label scopes } } }',
    { id },
  );
  const { apiKey, key: record } = key.data.createKey;
  expect(record).toMatchObject({ label: 'first', scopes: ['ocr:write', 'ocr:read', 'usage:read'] });
  const caller = house.callerWith(apiKey);
  expect((await caller.get('/v1/usage')).status).toBe(200);
  await ask(operator.caller, 'mutation ($id: ID!) { revokeKey(id: $id) }', { id: record.id });
  await expect.poll(async () => (await caller.get('/v1/usage')).status, { timeout: 5000 }).toBe(401);
});

it('lets a login manage the keys and the history of its own account only', async () => {
  const browser = await browserOf(owner);
  const made = await browser.graphql<{ data: { createKey: { key: { id: string } } } }>(
    'mutation { createKey { key { id } } }',
  );
  const { id } = made.body.data.createKey.key;
  const account = await browser.graphql<{ data: unknown }>('{ account { id signingSecret keys { id } } }');
  expect(account.body.data).toMatchObject({ account: { id: owner.accountId, keys: [{ id }, {}] } });
  const refused = async (query: string) => {
    const { body } = await browser.graphql<{ errors: { extensions: { code: string } }[] }>(query);
    return body.errors.map(({ extensions }) => extensions.code);
  };
  expect(await refused('mutation { createKey(scopes: ["operator"]) { apiKey } }')).toEqual(['insufficient_scope']);
  expect(await refused(`{ account(id: "${operator.accountId}") { id } }`)).toEqual(['not_found']);
  const [foreign] = await foreignKeys();
  expect(await refused(`mutation { revokeKey(id: "${foreign}") }`)).toEqual(['not_found']);
  const history = await browser.graphql<{ data: unknown }>('mutation { setHistory(on: false) { history } }');
  expect(history.body.data).toEqual({ setHistory: { history: false } });
});

async function foreignKeys(): Promise<string[]> {
  const { data } = await ask<{ account: { keys: { id: string }[] } }>(operator.caller, '{ account { keys { id } } }');
  return data.account.keys.map(({ id }) => id);
}

it('lists accounts by e-mail with keys and balances', async () => {
  const { data } = await ask<{ accounts: { nodes: object[] } }>(
    operator.caller,
    '{ accounts { nodes { id email keys { prefix } balance { available owed } } pageInfo { hasNextPage } } }',
  );
  expect(data.accounts).toMatchObject({ pageInfo: { hasNextPage: false } });
  expect(data.accounts.nodes).toContainEqual(
    expect.objectContaining({ id: owner.accountId, balance: { available: 10, owed: 0 } }),
  );
  const found = await ask(operator.caller, '{ accounts(search: "MADE@") { nodes { email } } }');
  expect(found.data).toEqual({ accounts: { nodes: [{ email: 'made@example.com' }] } });
});

it('shows the ledger of an account to itself and to operators', async () => {
  const LEDGER = 'query ($id: ID) { ledger(accountId: $id) { nodes { kind amount } } }';
  const own = { ledger: { nodes: [{ kind: 'top_up', amount: 10 }] } };
  expect((await ask(owner.caller, LEDGER)).data).toEqual(own);
  expect((await ask(operator.caller, LEDGER, { id: owner.accountId })).data).toEqual(own);
  expect((await ask(owner.caller, LEDGER, { id: operator.accountId })).codes).toEqual(['not_found']);
  expect((await ask(operator.caller, LEDGER, { id: 'nobody' })).codes).toEqual(['not_found']);
});

it('shows what is at work, and by whom', async () => {
  const gate = makeGate();
  house.engines.script('reader', () => gate.opened.then(() => says('read')));
  const sending = (await house.account()).caller.ocr(await pictureBody());
  const WORK = '{ queues { engineId queued running oldestAgeSeconds } workers { engines running owner } }';
  await expect
    .poll(async () => (await ask(operator.caller, WORK)).data, { timeout: 10_000 })
    .toMatchObject({
      queues: [{ engineId: 'reader', queued: 0, running: 1, oldestAgeSeconds: null }],
      workers: [{ engines: ['reader'], running: 1 }],
    });
  gate.open();
  expect((await sending).status).toBe(200);
});

it('shows every engine with health, statistics, latency and uptime, and probes one at once', async () => {
  const FIGURES = `{ engines { id obstacle health { status } stats { totalRequests }
    latency(hours: 2) { requestCount } uptime(days: 1) { totalChecks } } }`;
  const { data, codes } = await ask<{ engines: { id: string; stats: unknown; latency: unknown }[] }>(
    operator.caller,
    FIGURES,
  );
  expect(codes).toEqual([]);
  expect(data.engines.find(({ id }) => id === 'reader')).toMatchObject({
    obstacle: null,
    stats: { totalRequests: 1 },
    latency: [{ requestCount: 1 }],
  });
  const probed = await ask(operator.caller, 'mutation { probeEngine(id: "tesseract") { status } }');
  expect(probed.data).toEqual({ probeEngine: { status: 'healthy' } });
});

it('speaks of no account to whom all of them are open', async () => {
  const messageTo = async ({ caller }: HouseAccount): Promise<string | undefined> => {
    const { body } = await caller.call<{ errors?: { message: string }[] }>('POST', '/graphql', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ request(id: "ocr_00000000000000000000000000") { id } }' }),
    });
    return body.errors?.[0]?.message;
  };
  expect(await messageTo(operator)).toBe('There is no such request.');
  expect(await messageTo(owner)).toBe('There is no such request in your account.');
});

it('keeps why credit was added in the ledger', async () => {
  const { accountId } = await house.account({ credit: 0 });
  const ADD = `mutation ($id: ID!, $reason: String) { addCredit(accountId: $id, usd: 3, reason: $reason) { available } }`;
  const added = await ask(operator.caller, ADD, { id: accountId, reason: 'goodwill for Tuesday' });
  expect(added.data).toEqual({ addCredit: { available: 3 } });
  await ask(operator.caller, ADD, { id: accountId });
  const ledger = await ask(operator.caller, 'query ($id: ID) { ledger(accountId: $id) { nodes { kind reason } } }', {
    id: accountId,
  });
  expect(ledger.data).toEqual({
    ledger: {
      nodes: [
        { kind: 'top_up', reason: null },
        { kind: 'top_up', reason: 'goodwill for Tuesday' },
      ],
    },
  });
  expect((await ask(operator.caller, ADD, { id: accountId, reason: 'x'.repeat(501) })).codes).toEqual([
    'invalid_request',
  ]);
});

it('shows operators in the list of accounts what one account shows', async () => {
  const { accountId } = await house.account();
  await house.admin.setRetention(accountId, 30);
  const FIELDS = 'id email tier history textDays demo createdAt';
  const { data } = await ask<{ account: { email: string } }>(
    operator.caller,
    `{ account(id: "${accountId}") { ${FIELDS} } }`,
  );
  expect(data.account).toMatchObject({ textDays: 30 });
  const listed = await ask<{ accounts: { nodes: object[] } }>(
    operator.caller,
    `{ accounts(search: "${data.account.email}") { nodes { ${FIELDS} } } }`,
  );
  expect(listed.data.accounts.nodes).toEqual([data.account]);
});
