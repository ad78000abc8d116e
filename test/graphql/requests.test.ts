import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fails, says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount, openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { pictureAs } from '../house/pictures.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

/** For which a request stands at the engine of another one, and by how much clocks may differ. */
const WAITING_MS = 400;
const CLOCKS_MS = 100;

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;
let ids: string[];

beforeAll(async () => {
  house = await openHouse({
    engines: { reader: {}, writer: {}, narrow: { concurrency: 2, max_pages_per_request: 2 } },
  });
  house.engines.script('reader', () => says('the text'));
  house.engines.script('writer', () => says('the other text'));
  owner = await house.account();
  operator = await house.account({ scopes: ['operator'] });
  ids = [];
  for (const engine of ['reader', 'writer', 'reader']) {
    ids.push((await owner.caller.ocr(await pictureBody(engine))).body.request_id);
  }
});
afterAll(() => house[Symbol.asyncDispose]());

interface Page {
  requests: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}
const PAGE = `query ($filter: RequestFilter, $first: Int, $after: String) {
  requests(filter: $filter, first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`;

async function idsOf(account: HouseAccount, filter: object): Promise<string[]> {
  const { data } = await ask<Page>(account.caller, PAGE, { filter });
  return data.requests.nodes.map(({ id }) => id);
}

it('lists the account’s requests, newest first, page by page', async () => {
  const first = await ask<Page>(owner.caller, PAGE, { first: 2 });
  expect(first.data.requests.nodes.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect(first.data.requests.pageInfo).toEqual({ hasNextPage: true, endCursor: ids[1] });
  const second = await ask<Page>(owner.caller, PAGE, { first: 2, after: ids[1] });
  expect(second.data.requests).toEqual({
    nodes: [{ id: ids[0] }],
    pageInfo: { hasNextPage: false, endCursor: ids[0] },
  });
});

it('narrows the list by engine, status, mode, date and cursor of an event', async () => {
  expect(await idsOf(owner, { engine: 'writer' })).toEqual([ids[1]]);
  expect(await idsOf(owner, { status: ['failed'] })).toEqual([]);
  expect(await idsOf(owner, { mode: 'async' })).toEqual([]);
  expect(await idsOf(owner, { to: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await idsOf(owner, { from: '2020-01-01T00:00:00Z', status: ['succeeded'] })).toHaveLength(3);
  expect(await idsOf(owner, { changedSince: new Date(Date.now() - 60_000).toISOString() })).toHaveLength(3);
  expect(await idsOf(owner, { changedSince: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
});

it('shows operators the requests of every account, and nobody else', async () => {
  expect(await idsOf(operator, { allAccounts: true })).toEqual([...ids].reverse());
  expect(await idsOf(operator, { accountId: owner.accountId })).toEqual([...ids].reverse());
  expect((await ask(owner.caller, PAGE, { filter: { allAccounts: true } })).codes).toEqual(['insufficient_scope']);
  expect((await ask(owner.caller, PAGE, { filter: { accountId: operator.accountId } })).codes).toEqual(['not_found']);
});

it('refuses what is no page', async () => {
  for (const variables of [{ first: 0 }, { first: 101 }, { after: 'x' }, { filter: { changedSince: 'x' } }]) {
    expect((await ask(owner.caller, PAGE, variables)).codes).toEqual(['invalid_request']);
  }
});

const ONE = `query ($id: ID!) { request(id: $id) { id extractedText keyId timeline { kind detail }
  attempts { engine outcome } transfers { id kind amount requestId } deliveries { id } pageResults { text } } }`;

it('shows one request with its timeline, attempts and ledger lines', async () => {
  const { data } = await ask<{ request: { timeline: { kind: string }[]; transfers: { id: string }[] } }>(
    owner.caller,
    ONE,
    { id: ids[0] },
  );
  // A picture that took no millisecond is no step.
  const timeline = data.request.timeline.filter(({ kind }) => kind !== 'rendered');
  expect({ ...data.request, timeline }).toMatchObject({
    id: ids[0],
    extractedText: 'the text',
    timeline: [
      { kind: 'accepted', detail: null },
      { kind: 'held', detail: '0.01 USD' },
      { kind: 'started', detail: null },
      { kind: 'attempt', detail: 'reader: ok' },
      { kind: 'settled', detail: 'succeeded' },
    ],
    attempts: [{ engine: 'reader', outcome: 'ok' }],
    transfers: [{ id: expect.stringMatching(/^\d+$/), kind: 'charge', requestId: ids[0] }],
    deliveries: [],
    pageResults: [{ text: 'the text' }],
  });
});

it('shows operators a request of another account without its text', async () => {
  const { data } = await ask<{ request: Record<string, unknown> }>(operator.caller, ONE, { id: ids[0] });
  expect(data.request).toMatchObject({ id: ids[0], extractedText: null, pageResults: [{ text: null }] });
});

it('knows no request of another account', async () => {
  const stranger = await house.account();
  expect((await ask(stranger.caller, ONE, { id: ids[0] })).codes).toEqual(['not_found']);
});

it('tells where the time of a request went, as parts of it', async () => {
  interface Timed {
    startedAt: string;
    finishedAt: string;
    wallTimes: { engineMs: number; renderMs: number; placeMs: number };
    attempts: { pagesTried: number }[];
  }
  const { data } = await ask<{ request: Timed }>(
    owner.caller,
    `{ request(id: "${ids[0]}") { startedAt finishedAt wallTimes { engineMs renderMs placeMs } attempts { pagesTried } } }`,
  );
  const { startedAt, finishedAt, wallTimes, attempts } = data.request;
  expect(attempts).toEqual([{ pagesTried: 1 }]);
  expect(wallTimes.engineMs).toBeGreaterThan(0);
  const parts = wallTimes.engineMs + wallTimes.renderMs + wallTimes.placeMs;
  // Rounded each, and measured by another clock than the database's.
  expect(parts).toBeLessThanOrEqual(Date.parse(finishedAt) - Date.parse(startedAt) + 50);
});

it('tells drawing the pages, waiting for a place at the engine, and the engine’s own time apart', async () => {
  const drawn = makePdf([1, 2].map(() => ({ text: 'drawn as boxes', font: 'unmapped' })));
  const gate = makeGate();
  let called = 0;
  house.engines.script('narrow', async () => {
    called += 1;
    await gate.opened;
    return says('the text');
  });
  const long = owner.caller.ocr(ocrBody('narrow', drawn, { page_count: 2 }));
  await until('its pages have both places', () => called === 2);
  const small = owner.caller.ocr(await pictureBody('narrow'));
  const AT_WORK = `select from ocr_request where requested_engine = 'narrow' and status = 'processing'`;
  await until('the other one is at work', async () => (await readSql(house.databaseUrl, AT_WORK)).length === 2);
  await sleep(WAITING_MS);
  gate.open();
  interface Timed {
    request: { wallTimes: { engineMs: number; renderMs: number; placeMs: number } };
  }
  const [ofLong, ofSmall] = await Promise.all(
    [await long, await small].map(async ({ body }) => {
      const text = `{ request(id: "${body.request_id}") { wallTimes { engineMs renderMs placeMs } } }`;
      return (await ask<Timed>(owner.caller, text)).data.request.wallTimes;
    }),
  );
  expect(ofLong?.engineMs).toBeGreaterThanOrEqual(WAITING_MS);
  expect(ofLong?.renderMs).toBeGreaterThan(0);
  expect(ofLong?.placeMs).toBeLessThan(WAITING_MS);
  expect(ofSmall?.placeMs).toBeGreaterThanOrEqual(WAITING_MS - CLOCKS_MS);
});

it('shows so many pages of a request behind another one', async () => {
  house.engines.script('reader', () => says('the text'));
  const jpeg = await pictureAs('jpeg');
  const pdf = makePdf(Array.from({ length: 5 }, () => ({ size: [100, 80], picture: { jpeg, width: 64, height: 48 } })));
  const { body } = await owner.caller.ocr(ocrBody('reader', pdf, { page_count: 5, settings: { dpi: 72 } }));
  const numbers = async (args: string) => {
    const answer = await ask<{ request: { pageResults: { number: number }[] } }>(
      owner.caller,
      `{ request(id: "${body.request_id}") { pageResults${args} { number } } }`,
    );
    return answer.codes.length > 0 ? answer.codes : answer.data.request.pageResults.map(({ number }) => number);
  };
  expect(await numbers('')).toEqual([1, 2, 3, 4, 5]);
  expect(await numbers('(first: 2)')).toEqual([1, 2]);
  expect(await numbers('(first: 2, after: 2)')).toEqual([3, 4]);
  expect(await numbers('(first: 2, after: 4)')).toEqual([5]);
  expect(await numbers('(first: 501)')).toEqual(['invalid_request']);
});

it('finds requests by the code of their error and by their key', async () => {
  house.engines.script('writer', fails(500, 'out of order', 'internal'));
  await owner.caller.ocr(await pictureBody('writer'));
  const { data } = await ask<{ requests: { nodes: { id: string; errorCode: string; idempotencyKey: string }[] } }>(
    owner.caller,
    '{ requests(first: 2) { nodes { id errorCode idempotencyKey } } }',
  );
  const [failed, before] = data.requests.nodes;
  expect(failed).toMatchObject({ errorCode: 'provider_error' });
  expect(await idsOf(owner, { errorCode: failed?.errorCode })).toEqual([failed?.id]);
  expect(await idsOf(owner, { idempotencyKey: before?.idempotencyKey })).toEqual([before?.id]);
  expect(await idsOf(owner, { idempotencyKey: `${before?.idempotencyKey}x` })).toEqual([]);
});

it('finds requests by what stands in their error, or begins their key, and by nothing else', async () => {
  house.engines.script('writer', fails(500, 'the drum is worn', 'internal'));
  house.engines.script('reader', says('a drum that was read'));
  const key = `drawer-${randomUUID()}`;
  const failed = (await owner.caller.ocr(await pictureBody('writer'))).headers['x-request-id'];
  const { body: keyed } = await owner.caller.ocr(await pictureBody('reader'), { key });
  const found = (text: string, more: object = {}) => idsOf(owner, { text, ...more });
  house.engines.script('reader', () => says('the text'));
  expect([failed, keyed.request_id]).toEqual([expect.stringMatching(/^ocr_/), expect.stringMatching(/^ocr_/)]);
  expect(await found('DRUM is')).toEqual([failed]);
  expect(await found(' drum ')).toEqual([failed]);
  expect(await found('Provider_Err')).toContain(failed);
  expect(await found(key.slice(0, 12))).toEqual([keyed.request_id]);
  expect(await found(key.slice(1))).toEqual([]);
  expect(await found('drum', { status: ['succeeded'] })).toEqual([]);
  expect(await found('drum', { to: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([]);
  expect(await found('100%_')).toEqual([]);
  const { codes } = await ask(owner.caller, '{ requests(filter: {text: "ab"}) { nodes { id } } }');
  expect(codes).toEqual(['invalid_request']);
});

it('lists the slowest first, for operators', async () => {
  const SLOWEST = `query ($filter: RequestFilter, $first: Int) {
    slowestRequests(filter: $filter, first: $first) { id finishedAt engine } }`;
  const slowDown = `update ocr_request set created_at = finished_at - interval '1 s' * $2::int where id = $1`;
  await runSql(house.databaseUrl, slowDown, [ids[0], 500]);
  await runSql(house.databaseUrl, slowDown, [ids[1], 900]);
  const slowest = async (variables: object): Promise<string[]> => {
    const { data, codes } = await ask<{ slowestRequests: { id: string }[] }>(operator.caller, SLOWEST, variables);
    expect(codes).toEqual([]);
    return data.slowestRequests.map(({ id }) => id);
  };
  const whose = { accountId: owner.accountId };
  expect(await slowest({ filter: whose, first: 2 })).toEqual([ids[1], ids[0]]);
  expect(await slowest({ filter: { ...whose, engine: 'reader' }, first: 1 })).toEqual([ids[0]]);
  expect((await slowest({ filter: { allAccounts: true } })).slice(0, 2)).toEqual([ids[1], ids[0]]);
  expect((await ask(owner.caller, SLOWEST, {})).codes).toEqual(['insufficient_scope']);
});

it('tells why runs on an engine ended badly, for operators', async () => {
  const ERRORS = `query ($id: ID!) { engineErrors(id: $id, hours: 1) {
    runs isCut endings { outcome providerFault isEngineError runs lastMessage lastRequestId } } }`;
  house.engines.script('writer', fails(500, 'out of order', 'internal'));
  await owner.caller.ocr(await pictureBody('writer'));
  const [latest] = (await ask<Page>(owner.caller, PAGE, { first: 1 })).data.requests.nodes;
  const { data } = await ask<{ engineErrors: { endings: object[] } }>(operator.caller, ERRORS, { id: 'writer' });
  expect(data.engineErrors).toMatchObject({
    isCut: false,
    endings: [{ outcome: 'failed', providerFault: 'http_error' }],
  });
  expect(data.engineErrors.endings[0]).toMatchObject({
    isEngineError: true,
    lastMessage: expect.stringContaining('500'),
    lastRequestId: latest?.id,
  });
  expect((await ask(operator.caller, ERRORS, { id: 'nobody' })).codes).toEqual(['not_found']);
  expect((await ask(owner.caller, ERRORS, { id: 'writer' })).codes).toEqual(['insufficient_scope']);
});

it('tells what an engine brought in and what its provider takes, for operators', async () => {
  const MONEY = `query ($id: ID!) { engineMoney(id: $id, hours: 1) {
    runs pages isCut charged providerCost pendingRuns providerCostPerPage margin } }`;
  const { data } = await ask<{ engineMoney: Record<string, number | null> }>(operator.caller, MONEY, { id: 'reader' });
  const { requests } = (
    await ask<{ requests: { nodes: { cost: number; pages: number }[] } }>(
      operator.caller,
      '{ requests(filter: { allAccounts: true, engine: "reader" }) { nodes { cost pages } } }',
    )
  ).data;
  const sum = (of: 'cost' | 'pages') => requests.nodes.reduce((total, node) => total + node[of], 0);
  expect(data.engineMoney).toMatchObject({
    runs: requests.nodes.length,
    pages: sum('pages'),
    isCut: false,
    pendingRuns: 0,
  });
  expect(data.engineMoney['charged']).toBeCloseTo(sum('cost'), 9);
  const { providerCost, providerCostPerPage, margin, charged } = data.engineMoney;
  expect(providerCost).toBeCloseTo(sum('pages') * (providerCostPerPage ?? Number.NaN), 9);
  expect(margin).toBeCloseTo((charged ?? 0) - (providerCost ?? 0), 9);
  expect((await ask(owner.caller, MONEY, { id: 'reader' })).codes).toEqual(['insufficient_scope']);
});

it('sends a document twice that two fields of an operation share, however long it is', async () => {
  const bytes = Buffer.alloc(100_000, await pictureAs('jpeg'));
  const request = { engine: 'reader', input: { type: 'base64', dataBase64: bytes.toString('base64') } };
  const { caller } = await house.account();
  const twice = `mutation ($request: OcrRequestInput!) {
    a: submitOcr(request: $request, idempotencyKey: "a") { id extractedText }
    b: submitOcr(request: $request, idempotencyKey: "b") { id extractedText } }`;
  const { data } = await ask<Record<'a' | 'b', { id: string; extractedText: string }>>(caller, twice, { request });
  expect([data.a.extractedText, data.b.extractedText]).toEqual(['the text', 'the text']);
  expect(data.a.id).not.toBe(data.b.id);
});
