import { afterAll, beforeAll, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;
let ids: string[];

beforeAll(async () => {
  house = await openHouse({ engines: { reader: {}, writer: {} } });
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
