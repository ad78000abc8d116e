import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { fails } from '../../house/engine-answers.ts';
import { ask } from '../../house/graphql.ts';
import { type HouseAccount, openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { socketOf } from '../../house/socket.ts';
import { until } from '../../house/until.ts';

interface Refused {
  readonly requestId: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly accountId: string | null;
  readonly engine: string | null;
}

const house = await openHouse({ engines: { reader: {}, off: {} } });
let operator: HouseAccount;
let owner: HouseAccount;
afterAll(() => house[Symbol.asyncDispose]());
beforeAll(async () => {
  operator = await house.account({ scopes: ['operator'] });
  owner = await house.account();
  await ask(operator.caller, 'mutation { setEngineEnabled(id: "off", enabled: false) { enabled } }');
});

const CALL = `query ($id: ID!) { refusedCall(id: $id) { requestId status code message accountId engine } }`;

/** What the gateway knows of a call by the id that its answer had. */
async function known(id: string, by = operator): Promise<Refused> {
  return until(`the call ${id} is known`, async () => {
    const { data } = await ask<{ refusedCall: Refused } | null>(by.caller, CALL, { id });
    return data?.refusedCall;
  });
}

const poor = () => house.account({ credit: 0 });

it.each([
  [400, 'unknown_engine', null, async () => owner.caller.ocr(await pictureBody('nobody'))],
  [401, 'authentication_error', null, async () => house.callerWith('sk-ocr-unknown').ocr(await pictureBody('reader'))],
  [402, 'insufficient_balance', 'reader', async () => (await poor()).caller.ocr(await pictureBody('reader'))],
  [413, 'payload_too_large', null, () => owner.caller.ocr(Buffer.alloc(80_000_000, ' '))],
  [422, 'unprocessable_entity', 'reader', () => owner.caller.ocr(ocrBody('reader', Buffer.from('no picture')))],
  [503, 'engine_unavailable', 'off', async () => owner.caller.ocr(await pictureBody('off'))],
] as const)('finds a %i %s by its id, with what the caller was told', async (status, code, engine, call) => {
  const { headers, status: answered } = await call();
  expect(answered).toBe(status);
  const id = headers['x-request-id'] ?? '';
  expect(id).toMatch(/^req_/);
  expect(await known(id)).toMatchObject({ requestId: id, status, code, engine, message: expect.stringMatching(/./) });
});

const SEND =
  'mutation ($sent: OcrRequestInput!, $key: String!) { submitOcr(request: $sent, idempotencyKey: $key) { id } }';
const picture = async (engine: string) => {
  const { input } = await pictureBody(engine);
  return { key: randomUUID(), sent: { engine, input: { type: input.type, dataBase64: input.data_base64 } } };
};

it.each([
  [400, 'invalid_request', null, () => ask(owner.caller, '{ nothing }')],
  [400, 'unknown_engine', null, async () => ask(owner.caller, SEND, await picture('nobody'))],
  [401, 'authentication_error', null, () => ask(house.callerWith('sk-ocr-unknown'), '{ engines { id } }')],
  [402, 'insufficient_balance', 'reader', async () => ask((await poor()).caller, SEND, await picture('reader'))],
  [503, 'engine_unavailable', 'off', async () => ask(owner.caller, SEND, await picture('off'))],
] as const)('finds a %i %s of GraphQL by its id, too', async (status, code, engine, call) => {
  const id = (await call()).headers['x-request-id'] ?? '';
  expect(await known(id)).toMatchObject({ requestId: id, status, code, engine, message: expect.stringMatching(/./) });
});

it('takes no call for refused of which something was answered, or a request came', async () => {
  house.engines.script('reader', () => fails(500, 'It broke.'));
  const failed = await ask(owner.caller, SEND, await picture('reader'));
  house.engines.reset();
  expect(failed.codes).toEqual(['provider_error']);
  const half = await ask(owner.caller, '{ engines { id } }');
  const marker = await ask(owner.caller, '{ nothing }');
  await known(marker.headers['x-request-id'] ?? ''); // written after the others
  for (const { headers } of [failed, half]) {
    expect((await ask(operator.caller, CALL, { id: headers['x-request-id'] })).codes).toEqual(['not_found']);
  }
});

it('counts what a rate limit refuses, by account and code', async () => {
  const { accountId, caller } = await house.account({ tier: 'free' });
  const replies = await Promise.all(Array.from({ length: 75 }, () => caller.get('/v1/usage')));
  const last = replies.find(({ status }) => status === 429);
  expect(await known(last?.headers['x-request-id'] ?? '')).toMatchObject({ status: 429, accountId });
  expect(await countedOf(accountId, 15)).toEqual([{ code: 'rate_limited', engine: null, calls: 15 }]);
});

it('counts them for their engine and in the overview', async () => {
  await known((await owner.caller.ocr(await pictureBody('off'))).headers['x-request-id'] ?? '');
  const { data } = await ask<{ engine: { window: object }; overview: { refused: number; requests: number } }>(
    operator.caller,
    '{ engine(id: "off") { window(hours: 1) { requests unavailable } } overview(hours: 1) { refused requests } }',
  );
  expect(data.engine.window).toEqual({ requests: 0, unavailable: expect.any(Number) });
  expect(data.engine.window).not.toMatchObject({ unavailable: 0 });
  expect(data.overview.refused).toBeGreaterThan(15);
});

it('shows an owner the calls of the own account, and nobody else’s', async () => {
  const id = (await owner.caller.ocr(await pictureBody('off'))).headers['x-request-id'] ?? '';
  expect(await known(id, owner)).toMatchObject({ accountId: owner.accountId });
  const stranger = await house.account();
  expect((await ask(stranger.caller, CALL, { id })).codes).toEqual(['not_found']);
  expect((await ask(operator.caller, CALL, { id: 'req_unknown' })).codes).toEqual(['not_found']);
  expect((await ask(owner.caller, '{ refusedCalls { calls } }')).codes).toEqual(['insufficient_scope']);
});

async function visitor() {
  const account = await house.account();
  const { cookie } = await house.admin.createSession(account.accountId, new URL(house.product.dashboardUrl));
  return { ...account, browser: new Browser(house.product).take(cookie) };
}

/** How many calls of an account were refused, by code; waits until there are as many. */
async function countedOf(accountId: string, calls: number) {
  return until(`${calls} calls of the account are counted`, async () => {
    const { data } = await ask<{ refusedCalls: (Refused & { calls: number })[] }>(
      operator.caller,
      '{ refusedCalls(hours: 1) { accountId engine status code calls } }',
    );
    const own = data.refusedCalls.filter((each) => each.accountId === accountId);
    const sum = own.reduce((total, each) => total + each.calls, 0);
    return sum >= calls && own.map(({ code, engine, calls: times }) => ({ code, engine, calls: times }));
  });
}

it('finds what the dashboard was refused, over GraphQL and REST; but not that nobody was logged in yet', async () => {
  const { accountId, browser } = await visitor();
  const stranger = await new Browser(house.product).graphql('{ account { id } }');
  const asked = await browser.graphql('{ nothing }');
  const fetched = await browser.get('/api/usage?user_id=0');
  for (const reply of [asked, fetched]) {
    const id = reply.headers['x-request-id'] ?? '';
    expect(await known(id)).toMatchObject({ requestId: id, status: 400, code: 'invalid_request', accountId });
  }
  expect((await ask(operator.caller, CALL, { id: stranger.headers['x-request-id'] })).codes).toEqual(['not_found']);
  expect(await countedOf(accountId, 2)).toEqual([{ code: 'invalid_request', engine: null, calls: 2 }]);
});

it.each([
  [401, 'authentication_error', '/api/login', { email: 'nobody@example.com', password: 'wrong and long enough' }],
  [400, 'invalid_request', '/api/login', { email: 'nobody@example.com' }],
  [404, 'not_found', '/api/register', { email: 'nobody@example.com', password: 'correct horse battery' }],
])('finds a %i %s of the dashboard’s %s, of whom nobody is known yet', async (status, code, path, body) => {
  const reply = await new Browser(house.product).send('POST', path, body);
  expect(reply.status).toBe(status);
  expect(await known(reply.headers['x-request-id'] ?? '')).toMatchObject({ status, code, accountId: null });
});

it('finds what is refused before it is known who calls the dashboard', async () => {
  const browser = new Browser(house.product);
  const started = await browser.get('/api/login/start'); // of a login at an identity provider, where there is none
  const foreign = await browser.call('POST', '/api/login', {
    headers: { origin: 'https://other.example' },
    body: '{}',
  });
  const unknown = await browser.call('GET', '/api/usage', { headers: { authorization: 'Bearer sk-ocr-unknown' } });
  expect([started, foreign, unknown].map(({ status }) => status)).toEqual([404, 403, 401]);
  for (const { status, headers } of [started, foreign, unknown]) {
    expect(await known(headers['x-request-id'] ?? '')).toMatchObject({ status, accountId: null });
  }
});

it('finds what the dashboard’s routes beside its contract refuse', async () => {
  const { accountId, browser } = await visitor();
  const picture = await browser.send('POST', '/api/page-picture?page=none');
  const exported = await browser.send('POST', '/api/export');
  const long = await browser.call('POST', '/graphql', {
    headers: { origin: browser.origin, 'content-type': 'application/json' },
    body: ' '.repeat(20_000_000),
  });
  for (const { status, headers } of [picture, exported, long]) {
    expect(await known(headers['x-request-id'] ?? '')).toMatchObject({ status, accountId });
  }
});

it.each(['/nothing', '/docs'])('finds a call of %s with a key that is none', async (path) => {
  const { status, headers } = await house.callerWith('sk-ocr-unknown').get(path);
  expect(status).toBe(401);
  expect(await known(headers['x-request-id'] ?? '')).toMatchObject({ status: 401, code: 'authentication_error' });
});

it.each(['/v1/nothing', '/v1/ocr/ocr_01ARZ3NDEKTSV4RRFFQ69G5FAV', '/nothing', '/v1/%zz'])(
  'finds that there is nothing at %s',
  async (path) => {
    const { status, headers } = await owner.caller.get(path);
    expect(status).toBe(404);
    const { accountId } = owner;
    expect(await known(headers['x-request-id'] ?? '')).toMatchObject({ status: 404, code: 'not_found', accountId });
  },
);

it('counts what is refused on a socket, but not an operation of which a request came', async () => {
  const { accountId, caller, apiKey } = await house.account();
  await using socket = await socketOf(house.product.url, apiKey);
  expect((await socket.answered('{ nothing }')).codes).toHaveLength(1);
  const { key, sent } = await picture('off');
  expect((await socket.answered(SEND, { key, sent })).codes).toEqual(['engine_unavailable']);
  house.engines.script('reader', () => fails(500, 'It broke.'));
  expect((await socket.answered(SEND, await picture('reader'))).codes).toEqual(['provider_error']);
  house.engines.reset();
  await known((await caller.ocr(await pictureBody('nobody'))).headers['x-request-id'] ?? ''); // written after the others
  expect((await countedOf(accountId, 3)).toSorted((a, b) => (a.code < b.code ? -1 : 1))).toEqual([
    { code: 'engine_unavailable', engine: 'off', calls: 1 },
    { code: 'invalid_request', engine: null, calls: 1 },
    { code: 'unknown_engine', engine: null, calls: 1 },
  ]);
});
