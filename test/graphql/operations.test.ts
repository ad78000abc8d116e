import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { refuses, says } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const OLDER = `update engine_state set at = at - interval '1 hour' where engine = 'reader'`;

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;

beforeAll(async () => {
  house = await openHouse({ engines: { reader: { provider_cost_per_page_usd: 0.002 } } });
  owner = await house.account();
  operator = await house.account({ scopes: ['operator'] });
  house.engines.script('reader', () => says('read'));
  await owner.caller.ocr(await pictureBody());
  house.engines.script('reader', () => refuses('No.'));
  await owner.caller.ocr(await pictureBody());
  house.engines.reset();
});
afterAll(() => house[Symbol.asyncDispose]());

it('sums up engines and money, today and over hours', async () => {
  const { data } = await ask<{ overview: object; moneyToday: object }>(
    operator.caller,
    `{ overview(hours: 1) { hours requests failed errorRate p50Ms spent chargedOnFailures owed }
       moneyToday { spent chargedOnFailures toppedUp owed held available } }`,
  );
  const spent = { spent: 0.012, chargedOnFailures: 0.002, owed: 0 };
  expect(data.overview).toEqual({
    hours: 1,
    requests: 2,
    failed: 0,
    errorRate: 0,
    p50Ms: expect.any(Number),
    ...spent,
  });
  expect(data.moneyToday).toEqual({ ...spent, toppedUp: 20, held: 0, available: 19.988 });
});

it('tells the window of an engine to all, and its money to operators', async () => {
  const query = '{ engine(id: "reader") { enabled demo window(hours: 24) { hours requests errors spent } } }';
  const window = { hours: 24, requests: 2, errors: 0 };
  expect((await ask(operator.caller, query)).data).toEqual({
    engine: { enabled: true, demo: false, window: { ...window, spent: 0.012 } },
  });
  expect((await ask(owner.caller, query)).data).toMatchObject({ engine: { window: { ...window, spent: null } } });
});

it('says since when an engine is switched off, and tells whoever watches', async () => {
  await until('it had been well for an hour', async () => (await runSql(house.product.databaseUrl, OLDER)) > 0);
  const beforeMs = Date.now();
  await ask(operator.caller, 'mutation { setEngineEnabled(id: "reader", enabled: false) { enabled } }');
  const query = '{ engine(id: "reader") { enabled obstacle stateSince health { obstacle } } quietSince }';
  const seen = await until('it was looked at', async () => {
    const { data } = await ask<{ engine: { stateSince: string | null } }>(operator.caller, query);
    return data.engine.stateSince === null ? null : data;
  });
  expect(seen).toMatchObject({ engine: { enabled: false, obstacle: 'disabled', health: { obstacle: 'disabled' } } });
  // Since it was switched, however long it had been well; by the clock of the database.
  expect(Date.parse(seen.engine.stateSince ?? '')).toBeGreaterThan(beforeMs - 1000);
  await ask(operator.caller, 'mutation { setEngineEnabled(id: "reader", enabled: true) { enabled } }');
});

it('samples the queue, and knows which processes live', async () => {
  const query =
    '{ queueHistory(hours: 1) { queued queuedMax running } workers { owner role version lastHeartbeatAt running } }';
  const { queueHistory, workers } = await until('a sample', async () => {
    const { data } = await ask<{ queueHistory: { running: number }[]; workers: { lastHeartbeatAt: string }[] }>(
      operator.caller,
      query,
    );
    return data.queueHistory.length > 0 && data;
  });
  // The readings that opened this house can be in the sample.
  expect(queueHistory[0]).toEqual({ queued: 0, queuedMax: 0, running: expect.any(Number) });
  expect(queueHistory[0]?.running).toBeLessThanOrEqual(1);
  expect(workers).toEqual([
    {
      owner: expect.stringMatching(/:\d+:wrk_/),
      ...{ role: 'all', version: expect.any(String), lastHeartbeatAt: expect.any(String), running: 0 },
    },
  ]);
});

it('opens every check of a day', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const probed = await ask(operator.caller, 'mutation { probeEngine(id: "tesseract") { status } }');
  expect(probed.codes).toEqual([]);
  const query = 'query ($date: String!) { engineChecks(id: "tesseract", date: $date) { at healthy latencyMs detail } }';
  const { data } = await ask<{ engineChecks: object[] }>(owner.caller, query, { date: today });
  expect(data.engineChecks.at(-1)).toEqual({
    at: expect.any(String),
    healthy: true,
    latencyMs: expect.any(Number),
    detail: null,
  });
  expect((await ask(owner.caller, query, { date: 'today' })).codes).toEqual(['invalid_request']);
});

it('lists exactly the requests that are named, and those that failed and cost something', async () => {
  const mine = await ask<{ requests: { nodes: { id: string; cost: number }[] } }>(
    owner.caller,
    '{ requests(filter: {chargedFailures: true}) { nodes { id cost keyLabel accountEmail understood renderMs starts } } }',
  );
  expect(mine.data.requests.nodes).toEqual([
    expect.objectContaining({ cost: 0.002, starts: 1, understood: expect.objectContaining({ engine: 'reader' }) }),
  ]);
  const id = mine.data.requests.nodes[0]?.id ?? '';
  const named =
    'query ($ids: [ID!], $all: Boolean) { requests(filter: {ids: $ids, allAccounts: $all}) { nodes { id } } }';
  expect((await ask(operator.caller, named, { ids: [id], all: true })).data).toEqual({ requests: { nodes: [{ id }] } });
  const stranger = await house.account();
  expect((await ask(stranger.caller, named, { ids: [id] })).data).toEqual({ requests: { nodes: [] } });
  expect((await ask(owner.caller, named, { ids: ['nothing'] })).codes).toEqual(['invalid_request']);
});

it('opens a session that works, and adds a credit of one name once', async () => {
  const { data } = await ask<{ createSession: { cookie: string } }>(
    operator.caller,
    'mutation ($id: ID!) { createSession(accountId: $id) { cookie sessionToken expiresAt } }',
    { id: owner.accountId },
  );
  const browser = new Browser(house.product).take(data.createSession.cookie);
  const mine = await browser.graphql<{ data: { sessions: unknown[] } }>('{ sessions { current } }');
  expect(mine.body.data.sessions).toEqual([{ current: true }]);
  const credit =
    'mutation ($id: ID!, $key: String) { addCredit(accountId: $id, usd: 1, idempotencyKey: $key) { available } }';
  const added = async (key: string | null) =>
    (await ask<{ addCredit: { available: number } }>(operator.caller, credit, { id: owner.accountId, key })).data
      .addCredit.available;
  const first = await added('one');
  expect(await added('one')).toBe(first);
  expect(await added('two')).toBe(first + 1);
});

it('refuses all of it to other keys', async () => {
  const operations = [
    '{ overview { requests } }',
    '{ moneyToday { spent } }',
    '{ quietSince }',
    '{ queueHistory { at } }',
    '{ auditLog { nodes { id } } }',
    'mutation { createSession(accountId: "x") { cookie } }',
    'mutation { labelKey(id: "key_x", label: "mine") { id } }',
    '{ requests(filter: {allAccounts: true}) { nodes { id } } }',
  ];
  for (const operation of operations) {
    expect((await ask(owner.caller, operation)).codes, operation).toEqual(['insufficient_scope']);
  }
});
