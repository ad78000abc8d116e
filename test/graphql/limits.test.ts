import { beforeAll, describe, expect, it } from 'vitest';
import { Caller } from '../house/caller.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { copiesOfSchema, WHOLE_SCHEMA } from '../house/introspection.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { socketOf } from '../house/socket.ts';

let house: House;
let owner: HouseAccount;

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account();
});

const many = (count: number, field: string) => Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ');
const FIGURES = 'attempts { id } timeline { at } transfers { id } deliveries { id } pageResults { number }';

describe('refuses with 400 before anything runs', () => {
  it.each([
    ['too many aliases', `{ ${many(31, '__typename')} }`],
    ['aliases in fragments', `{ ...f } fragment f on Query { ${many(31, '__typename')} }`],
    ['too many root fields', `{ ${many(21, 'changelog { apiVersion }')} }`],
    ['too many tokens', `{ changelog { ${'apiVersion '.repeat(2000)} } }`],
    ['too much cost', `{ ${many(10, `requests(first: 100) { nodes { id ${FIGURES} } }`)} }`],
    ['a page size by a variable', `query ($n: Int) { ${many(10, `requests(first: $n) { nodes { id ${FIGURES} } }`)} }`],
    ['too many fragments', `{ ...f0 } ${chain(61)}`],
    ['introspection that turns in circles', introspection(5)],
    ['copies of the schema, by few aliases', copiesOfSchema(3)],
    ['copies of the schema, by many aliases', copiesOfSchema(8)],
    ['the schema as a root field, too often', `{ ${many(21, '__type(name: "Query") { name }')} }`],
    [
      'a type that unwraps without an end',
      `{ __type(name: "Query") { ${'ofType { '.repeat(30)} name ${'}'.repeat(30)} } }`,
    ],
    ['a document of more than 16 kB, most of it a comment', `#${'x'.repeat(16_384)}\n{ __typename }`],
    ['a document of more than 16 kB in characters of several bytes', `#${'é'.repeat(8192)}\n{ __typename }`],
    ['a fragment that spreads itself', '{ ...f } fragment f on Query { ...f }'],
  ])('%s', async (_what, query) => {
    const { status, data, codes } = await ask(owner.caller, query);
    expect({ status, data }).toEqual({ status: 400, data: undefined });
    expect(codes[0]).toMatch(/^GRAPHQL_(VALIDATION|PARSE)_FAILED$/);
  });

  it('fragments that double at every level, at once', async () => {
    const fragments = Array.from({ length: 40 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`);
    const query = `{ ...f0 } ${fragments.join(' ')} fragment f40 on Query { ${many(31, '__typename')} }`;
    expect((await ask(owner.caller, query)).status).toBe(400);
  });
});

function chain(length: number): string {
  const next = (n: number) => (n + 1 < length ? `...f${n + 1}` : '');
  return Array.from({ length }, (_, n) => `fragment f${n} on Query { __typename ${next(n)} }`).join(' ');
}

function introspection(turns: number): string {
  return `{ __schema { types { ${'fields { type { '.repeat(turns)} name ${'} }'.repeat(turns)} } } }`;
}

it('answers the introspection of tools, and a document of 16 kB', async () => {
  const { status, data } = await ask<{ __schema: { types: unknown[] } }>(owner.caller, WHOLE_SCHEMA);
  expect(status).toBe(200);
  expect(data.__schema.types.length).toBeGreaterThan(50);
  const longest = '{ __typename }'.padStart(16_384, '#').replace('#{', '\n{');
  expect((await ask(owner.caller, longest)).status).toBe(200);
});

it('answers what clients usually ask', async () => {
  const { status, codes } = await ask(
    owner.caller,
    `{ requests(first: 100) { nodes { id ${FIGURES} } } engines { health { status } stats { totalPages } uptime { data { date } } } }`,
  );
  expect({ status, codes }).toEqual({ status: 200, codes: [] });
});

it('tells nothing of the schema to callers without a key', async () => {
  const reply = await ask(house.stranger, '{ __schema { types { name } } changelg }');
  expect({ status: reply.status, codes: reply.codes }).toEqual({ status: 401, codes: ['authentication_error'] });
  const { data } = await ask<object>(owner.caller, '{ __schema { queryType { name } } }');
  expect(data).toEqual({ __schema: { queryType: { name: 'Query' } } });
});

it('takes no batches', async () => {
  const body = JSON.stringify([{ query: '{ __typename }' }]);
  const json = { 'content-type': 'application/json' };
  expect((await owner.caller.call('POST', '/graphql', { headers: json, body })).status).toBe(400);
});

it('answers an account the whole schema thirty times a minute, by all its keys and over sockets', async () => {
  const { accountId, apiKey, caller } = await house.account();
  const another = new Caller(house.product.url, (await house.admin.createKey({ accountId })).api_key);
  const all = await Promise.all(
    Array.from({ length: 34 }, (_, n) => ask(n % 2 === 0 ? caller : another, WHOLE_SCHEMA)),
  );
  expect(all.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(29);
  const refused = all.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(3);
  expect(new Set(refused.flatMap(({ status, codes }) => [status, ...codes]))).toEqual(new Set([429, 'rate_limited']));
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await using socket = await socketOf(house.product.url, apiKey);
  expect((await socket.answered(WHOLE_SCHEMA)).codes).toEqual(['rate_limited']);
  expect((await ask(caller, '{ changelog { apiVersion } }')).status).toBe(200);
});

it('answers the schema as any other document, asked for the first time or again, in the media types there are', async () => {
  const { caller, apiKey } = await house.account();
  const types = ['application/json', 'application/graphql-response+json'];
  const replies = [];
  for (const accept of [undefined, ...types, ...types]) {
    const headers = { 'content-type': 'application/json', ...(accept && { accept }) };
    for (const query of ['{ __type(name: "Query") { name } }', '{ __typename }']) {
      const { status, headers: answered } = await caller.call('POST', '/graphql', {
        headers,
        body: JSON.stringify({ query, extensions: {} }),
      });
      const { 'content-type': type, 'cache-control': cache } = answered;
      replies.push({ accept, status, type, cache, names: Object.keys(answered).sort() });
    }
  }
  for (let at = 0; at < replies.length; at += 2) expect(replies[at]).toEqual(replies[at + 1]);
  const unknown = { headers: { 'content-type': 'application/json', accept: 'image/png' } };
  const body = JSON.stringify({ query: '{ __type(name: "Query") { name } }' });
  expect((await caller.call('POST', '/graphql', { ...unknown, body })).status).toBe(406);
  await using socket = await socketOf(house.product.url, apiKey);
  for (const query of ['{ __type(name: "Query") { name } }', '{ __type(name: "Query") { kind name } }']) {
    for (let turn = 0; turn < 2; turn++) {
      const { events, completed } = await socket.answered(query);
      expect({ events, completed }).toEqual({
        events: [{ __type: expect.objectContaining({ name: 'Query' }) }],
        completed: true,
      });
    }
  }
});

it('counts each root field as a call of the rate limit, whatever its alias', async () => {
  const { caller } = await house.account({ tier: 'free' });
  const twenty = `{ ${many(20, 'changelog { apiVersion }')} }`;
  const first = await ask(caller, twenty);
  expect(first.headers['x-ratelimit-remaining']).toBe('40');
  expect(
    (await ask(caller, '{ ...f } fragment f on Query { a: changelog { apiVersion } b: changelog { apiVersion } }'))
      .headers['x-ratelimit-remaining'],
  ).toBe('38');
  await ask(caller, twenty);
  const last = await ask(caller, twenty);
  expect({ status: last.status, codes: last.codes, data: last.data }).toEqual({
    status: 429,
    codes: ['rate_limited'],
    data: undefined,
  });
  expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
});
