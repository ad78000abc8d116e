import { beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { sharedHouse } from '../house/shared-house.ts';

let house: House;
let owner: HouseAccount;

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account();
});

const QUERY = `/graphql?query=${encodeURIComponent('{ changelog { apiVersion } }')}`;

it('answers queries by GET to a key, without a header of any client', async () => {
  const { status, body } = await owner.caller.get<{ data: object }>(QUERY);
  expect({ status, data: Object.keys(body.data) }).toEqual({ status: 200, data: ['changelog'] });
});

it('answers HEAD as GET, without the body', async () => {
  const { status, headers, text } = await owner.caller.call('HEAD', QUERY);
  expect([status, headers['content-type'], text]).toEqual([200, 'application/json; charset=utf-8', '']);
});

it('refuses a change by GET with 405, and a form by POST', async () => {
  const change = `/graphql?query=${encodeURIComponent('mutation { createKey { apiKey } }')}`;
  const refused = await owner.caller.get<{ errors: object[] }>(change);
  expect({ status: refused.status, allow: refused.headers['allow'] }).toEqual({ status: 405, allow: 'POST' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const form = { headers: { 'content-type': type }, body: 'query={__typename}' };
    expect((await owner.caller.call('POST', '/graphql', form)).status).toBe(400);
  }
});

it('answers what urql sends unless it is told otherwise', async () => {
  const query = encodeURIComponent('query Ids {\n  engines {\n    id\n    __typename\n  }\n}');
  const path = `/graphql?operationName=Ids&query=${query}&variables=%7B%7D`;
  const accept =
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';
  const { status, body } = await owner.caller.get<{ data: { engines: object[] } }>(path, { headers: { accept } });
  expect({ status, some: body.data.engines.length > 0 }).toEqual({ status: 200, some: true });
});

it('guards the dashboard’s cookie against calls that a page of another site can make', async () => {
  const { cookie } = await house.admin.createSession(owner.accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(cookie);
  expect((await browser.get(QUERY)).status).toBe(400);
});

it('refuses in GraphQL’s own form, in the media type that the caller takes', async () => {
  const types = [
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json; charset=utf-8'],
  ] as const;
  for (const [accept, type] of types) {
    for (const caller of [house.stranger, house.callerWith(`${owner.apiKey.slice(0, -1)}!`)]) {
      const { status, headers, body } = await caller.get<{ errors: { message: string; extensions: object }[] }>(QUERY, {
        headers: { accept },
      });
      expect({ status, type: headers['content-type'] }).toEqual({ status: 401, type });
      expect(Object.keys(body)).toEqual(['errors']);
      expect(body.errors).toEqual([
        { message: expect.stringContaining('key'), extensions: { code: 'authentication_error' } },
      ]);
    }
  }
});

/** As docs/concepts.md has it: GraphQL's own code for a call that is none. */
it('answers a call that is no call of GraphQL with BAD_REQUEST', async () => {
  const post = (body: string, more: Record<string, string> = {}) =>
    owner.caller.call<{ errors: { extensions: { code: string } }[] }>('POST', '/graphql', {
      headers: { 'content-type': 'application/json', ...more },
      body,
    });
  const change = `/graphql?query=${encodeURIComponent('mutation { createKey { apiKey } }')}`;
  const replies = {
    list: await post('[{"query":"{__typename}"}]'),
    'no query': await post('{}'),
    form: await post('query={__typename}', { 'content-type': 'application/x-www-form-urlencoded' }),
    'change by GET': await owner.caller.get<{ errors: { extensions: { code: string } }[] }>(change),
    subscription: await post('{"query":"subscription {requestsChanged {status}}"}'),
    'other media': await post('{"query":"{__typename}"}', { accept: 'text/html' }),
  };
  const told = Object.entries(replies).map(([name, { status, body }]) => [
    name,
    [status, body.errors.map(({ extensions }) => extensions.code)],
  ]);
  expect(Object.fromEntries(told)).toEqual({
    list: [400, ['BAD_REQUEST']],
    'no query': [400, ['BAD_REQUEST']],
    form: [400, ['BAD_REQUEST']],
    'change by GET': [405, ['BAD_REQUEST']],
    subscription: [400, ['BAD_REQUEST']],
    'other media': [406, ['BAD_REQUEST']],
  });
});

it('refuses what is no JSON, is too large or comes too often in the same form', async () => {
  const json = { 'content-type': 'application/json' };
  const nonsense = await owner.caller.call<{ errors: object[] }>('POST', '/graphql', { headers: json, body: '{' });
  expect({ status: nonsense.status, errors: nonsense.body.errors.length }).toEqual({ status: 400, errors: 1 });
  const free = await house.account({ tier: 'free' });
  await Promise.all(Array.from({ length: 60 }, () => free.caller.get(QUERY)));
  const { status, headers, body } = await free.caller.get<{ errors: { extensions: { code: string } }[] }>(QUERY);
  expect({ status, code: body.errors[0]?.extensions.code }).toEqual({ status: 429, code: 'rate_limited' });
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
});

it('tells the dashboard’s visitors without a login the same way', async () => {
  const answer = await fetch(`${house.product.dashboardUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toEqual({
    errors: [{ message: expect.any(String), extensions: { code: 'authentication_error' } }],
  });
});

it('leaves no warning of Node about a library in the log', () => {
  expect(house.product.logs()).not.toContain('DeprecationWarning');
});

it('refuses what is nested thousands deep, as a call with values that nothing can use', async () => {
  const post = (body: string) =>
    owner.caller.call<{ errors?: { extensions: { code: string } }[] }>('POST', '/graphql', {
      headers: { 'content-type': 'application/json' },
      body,
    });
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  for (const query of [
    `{ model(id: ${deep}) { id } }`,
    `${'{ a '.repeat(4000)}`,
    `query ($a: ${deep}) { __typename }`,
  ]) {
    const { status, body } = await post(JSON.stringify({ query }));
    expect({ status, code: body.errors?.[0]?.extensions.code }).toEqual({ status: 400, code: 'GRAPHQL_PARSE_FAILED' });
  }
  expect((await post(`{"query":"{ __typename }","extensions":{"a":${deep}}}`)).status).toBe(200);
});
