import { beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { ask } from '../house/graphql.ts';
import { type House } from '../house/house.ts';
import { copiesOfSchema, WHOLE_SCHEMA } from '../house/introspection.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Socket, socketOf } from '../house/socket.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

let house: House;

beforeAll(async () => {
  house = await sharedHouse();
});

const MINE = 'subscription { requestsChanged { requestId } }';

it('closes with 4403 for a key that is not valid, or none', async () => {
  for (const payload of [{}, { authorization: 'Bearer nonsense' }, { authorization: 5 }]) {
    await using socket = await new Socket(house.product.url).enter(payload);
    expect(await socket.closed()).toBe(4403);
  }
});

it('takes the key under any case of its name, and inside `headers`', async () => {
  const { apiKey } = await house.account();
  const authorization = `Bearer ${apiKey}`;
  const spellings = [
    { authorization },
    { Authorization: authorization },
    { AUTHORIZATION: authorization },
    { headers: { authorization } },
    { headers: { Authorization: authorization } },
  ];
  for (const payload of spellings) {
    await using socket = await new Socket(house.product.url).enter(payload);
    const { events } = await socket.answered('{ changelog { apiVersion } }');
    expect(events).toHaveLength(1);
  }
});

it('bounds what the subscriptions of an account keep, and frees it when they end', async () => {
  const { apiKey } = await house.account();
  const large = { unused: 'x'.repeat(900_000) };
  await using other = await socketOf(house.product.url, apiKey);
  {
    await using socket = await socketOf(house.product.url, apiKey);
    const operations = Array.from({ length: 20 }, () => socket.subscribe(MINE, large));
    await until('some are refused', () => operations.some(({ codes }) => codes !== null));
    expect(operations.flatMap(({ codes }) => codes ?? [])[0]).toBe('rate_limited');
    const refused = other.subscribe(MINE, large);
    await until('another socket of the account is refused, too', () => refused.codes);
  }
  await until('there is room again', async () => {
    const operation = other.subscribe(MINE, large);
    await other.answered('{ changelog { apiVersion } }');
    return operation.codes === null;
  });
});

it('closes with 4401 for an operation before the acknowledgement', async () => {
  await using socket = new Socket(house.product.url);
  await socket.opened();
  socket.subscribe(MINE);
  expect(await socket.closed()).toBe(4401);
});

it.each([
  ['large', 2, 60_000],
  ['many', 200, 0],
])('closes with 4400 for more than little before it says who it is: %s messages', async (_what, count, length) => {
  await using socket = new Socket(house.product.url);
  await socket.opened();
  for (let n = 0; n < count; n++) socket.send({ type: 'ping', payload: { unused: 'x'.repeat(length) } });
  expect(await socket.closed()).toBe(4400);
});

it('closes with 4408 when nobody says who it is', async () => {
  await using socket = new Socket(house.product.url);
  expect(await socket.closed()).toBe(4408);
});

it('closes with 4429 for a second initialisation, 4409 for an id in use, 4400 for nonsense', async () => {
  const { apiKey } = await house.account();
  await using twice = await socketOf(house.product.url, apiKey);
  twice.send({ type: 'connection_init' });
  expect(await twice.closed()).toBe(4429);
  await using same = await socketOf(house.product.url, apiKey);
  same.send({ type: 'subscribe', id: 'x', payload: { query: MINE } });
  same.send({ type: 'subscribe', id: 'x', payload: { query: MINE } });
  expect(await same.closed()).toBe(4409);
  await using nonsense = await socketOf(house.product.url, apiKey);
  nonsense.send({ type: 'nonsense' });
  expect(await nonsense.closed()).toBe(4400);
});

it('closes every socket of a key with 4403 when the key is revoked', async () => {
  const { accountId } = await house.account();
  const { key_id: keyId, api_key: apiKey } = await house.admin.createKey({ accountId });
  const sockets = await Promise.all(Array.from({ length: 10 }, () => socketOf(house.product.url, apiKey)));
  for (const socket of sockets) socket.subscribe(MINE);
  await house.admin.revokeKey(keyId);
  const revoked = performance.now();
  expect(await Promise.all(sockets.map((socket) => socket.closed()))).toEqual(sockets.map(() => 4403));
  expect(performance.now() - revoked).toBeLessThan(2000); // the contract's time
});

it('closes the dashboard’s sockets with 4403 when the session ends', async () => {
  const { accountId } = await house.account();
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(cookie);
  await using socket = await new Socket(house.product.dashboardUrl, { cookie, origin: browser.origin }).enter();
  expect(socket.closeCode).toBeNull();
  await browser.graphql('mutation { logoutEverywhere }');
  expect(await socket.closed()).toBe(4403);
});

it('closes the dashboard’s sockets with 4403 when the session’s time is over', async () => {
  const { accountId } = await house.account();
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(cookie);
  await using socket = await new Socket(house.product.dashboardUrl, { cookie, origin: browser.origin }).enter();
  const feed = socket.subscribe(MINE);
  const over = 'update session set expires_at = now() where account_id = $1';
  expect(await runSql(house.product.databaseUrl, over, [accountId])).toBe(1);
  expect(await socket.closed()).toBe(4403);
  expect(feed.events).toEqual([]);
});

it('counts each subscription as a call of the rate limit', async () => {
  const { apiKey } = await house.account({ tier: 'free' });
  await using socket = await socketOf(house.product.url, apiKey);
  const operations = Array.from({ length: 61 }, () => socket.subscribe('{ changelog { apiVersion } }'));
  await until('all are answered', () => operations.every(({ completed, codes }) => completed || codes));
  expect(operations.filter(({ completed }) => completed)).toHaveLength(60);
  expect(operations.flatMap(({ codes }) => codes ?? [])).toEqual(['rate_limited']);
});

it('refuses operations that are too large, and keeps the socket', async () => {
  const { apiKey } = await house.account();
  await using socket = await socketOf(house.product.url, apiKey);
  const fields = Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ');
  const doubling = Array.from({ length: 40 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`);
  const tooLarge = [
    `{ ${fields} }`,
    copiesOfSchema(3),
    copiesOfSchema(8),
    `{ ...f0 } ${doubling.join(' ')} fragment f40 on Query { __typename }`,
    `#${'x'.repeat(16_384)}\n${MINE}`,
  ];
  for (const query of tooLarge) {
    const operation = socket.subscribe(query);
    await until('it is refused', () => operation.codes ?? operation.completed);
    expect({ query, events: operation.events.length, refused: operation.codes !== null }).toEqual({
      query,
      events: 0,
      refused: true,
    });
  }
  const schema = socket.subscribe(WHOLE_SCHEMA);
  await until('the schema is told', () => schema.completed);
  expect(schema.events).toHaveLength(1);
  const next = socket.subscribe('{ changelog { apiVersion } }');
  await until('the next one is answered', () => next.completed);
});

it.each([
  ['a text that is no document', '{ engines', {}],
  ['too many tokens', `{ ${'id '.repeat(2001)} }`, {}],
  ['a field that there is not', '{ nothing }', {}],
  ['a value of another type', '{ engines(sort: 5) { id } }', {}],
  ['a value that is no time', '{ requests(filter: {from: "then"}) { nodes { id } } }', {}],
  ['two operations, neither of them named', 'query a { __typename } query b { __typename }', {}],
  ['fragments alone', 'fragment f on Query { __typename }', {}],
  ['a variable without a value', 'query ($id: ID!) { node(id: $id) { id } }', {}],
  ['a variable of another type', 'query ($sort: String) { engines(sort: $sort) { id } }', { sort: 5 }],
  [
    'a variable that is no time',
    'query ($from: DateTimeISO) { requests(filter: {from: $from}) { nodes { id } } }',
    { from: 'then' },
  ],
  ['a value that is refused', '{ engines(sort: "foo") { id } }', {}],
])('has the codes of HTTP: %s', async (_what, query, variables) => {
  const { apiKey, caller } = await house.account();
  await using socket = await socketOf(house.product.url, apiKey);
  const { codes } = await ask(caller, query, variables);
  expect(codes).toEqual(codes.map(() => expect.stringMatching(/\S/)));
  expect(codes).not.toEqual([]);
  expect((await socket.answered(query, variables)).codes).toEqual(codes);
});

it('takes a message of a megabyte, and closes with 1009 and the reason for a larger one', async () => {
  const { apiKey } = await house.account();
  await using socket = await socketOf(house.product.url, apiKey);
  const frame = JSON.stringify({
    type: 'subscribe',
    id: '1',
    payload: { query: '', variables: { unused: '' } },
  }).length;
  const query = '{ changelog { apiVersion } }';
  const room = 1024 * 1024 - frame - query.length;
  expect((await socket.answered(query, { unused: 'x'.repeat(room) })).events).toHaveLength(1);
  socket.subscribe(query, { unused: 'x'.repeat(room + 1) });
  expect(await socket.closed()).toBe(1009);
  expect(socket.closeReason).toMatch(/1 MB/);
});

it('answers no upgrade anywhere else', async () => {
  await using socket = new Socket(`${house.product.url}/v1`);
  expect(await socket.closed()).toBe(1006);
});
