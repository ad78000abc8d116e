import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Admin, makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { TestConsole } from '../house/console.ts';
import { freePorts } from '../house/free-ports.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { type ProductProcess, startProduct } from '../house/product.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const FEED = { query: 'subscription { jobFeed { requestId status } }', variables: {} };
const QUEUES = { query: 'subscription { queuesChanged { engineId } }', variables: {} };
const STATUS = { query: '{ serviceStatus { ok version } }', variables: {} };
const DISABLE = 'mutation ($id: ID!) { setEngineEnabled(engineId: $id, enabled: false) { enabled } }';

let engines: ScriptedEngines;
let databaseUrl: string;
let admin: Admin;
let ports: { api: number; dashboard: number };
let product: ProductProcess;
let operator: { accountId: string; apiKey: string };
let desk: TestConsole;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  engines = await ScriptedEngines.start();
  const [api = 0, dashboard = 0] = await freePorts(2);
  ports = { api, dashboard };
  product = await start();
  admin = await openHouseAdmin(databaseUrl);
  operator = await makeAccount(admin, { scopes: ['operator', 'ocr:write', 'ocr:read'] });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await admin[Symbol.asyncDispose]();
  await engines[Symbol.asyncDispose]();
});

beforeEach(async () => {
  desk = await TestConsole.open();
});

afterEach(() => desk[Symbol.asyncDispose]());

/** The product, at the same address every time. */
function start(): Promise<ProductProcess> {
  const env = { ALERTS_INTERVAL_MS: '200' };
  return startProduct({ databaseUrl, ports, env, engines: [engines.entry('reader', {})] });
}

async function live(wish: { readOnly?: boolean; token?: string } = {}): Promise<void> {
  await desk.show({ url: product.url, token: operator.apiKey, ...wish });
  await until('the console is live', () => desk.state === 'live');
}

/** Follows the feed, and waits until the gateway has taken the subscription. */
async function follow(times = 1): Promise<void> {
  if (times === 1) {
    await desk.page.invoke('graphql.subscribe', { id: 'feed', ...FEED });
    await desk.page.invoke('graphql.subscribe', { id: 'queues', ...QUEUES });
  }
  await until('the subscriptions have begun', () => desk.events('queues').length >= times);
}

async function readPicture(): Promise<string> {
  const caller = new Caller(product.url, operator.apiKey);
  return (await caller.ocr(await pictureBody())).body.request_id;
}

/** What no caller can bring about at will. */
async function owe(nanoUsd: bigint): Promise<void> {
  await runSql(databaseUrl, 'update wallet set owed = $2 where account_id = $1', [operator.accountId, nanoUsd]);
}

function toldOf(requestId: string): boolean {
  return JSON.stringify(desk.events('feed')).includes(requestId);
}

it('asks and follows with the key of its profile, and says how far the gateway is', async () => {
  await live();
  expect(await desk.page.invoke('graphql.execute', STATUS)).toMatchObject({ data: { serviceStatus: { ok: true } } });
  await follow();
  const requestId = await readPicture();
  await until('the request is told', () => toldOf(requestId));
  expect(desk.all('connection.state').at(-1)).toMatchObject({
    state: 'live',
    retryAt: null,
    roundTripMs: expect.any(Number),
  });
});

it('goes on with its subscriptions when the gateway was restarted', async () => {
  await live();
  await follow();
  await product.stop();
  const lost = await until('the loss is told', () =>
    desk.all('connection.state').find(({ retryAt }) => retryAt !== null),
  );
  expect(lost.state).toBe('offline');
  await expect(desk.page.invoke('graphql.execute', STATUS)).rejects.toThrow('cannot be reached');
  product = await start();
  await until('the console is live again', () => desk.state === 'live');
  await follow(2);
  const requestId = await readPicture();
  await until('the request is told', () => toldOf(requestId));
  expect(desk.events('feed').some(({ complete }) => complete)).toBe(false);
});

it('comes back from a gateway that vanished without a word', async () => {
  await live();
  await follow();
  await product.kill();
  await until('the loss is told', () => desk.state === 'offline');
  product = await start();
  desk.core.wake();
  await follow(2);
  expect(desk.state).toBe('live');
});

it('refuses changes on a read-only profile, whatever the page sends', async () => {
  await live({ readOnly: true });
  const variables = { id: 'reader' };
  const tricks = [DISABLE, `# query\n${DISABLE}`, `fragment F on Query { __typename } ${DISABLE}`];
  for (const query of tricks) {
    const answer = await desk.page.invoke('graphql.execute', { query, variables });
    expect(answer.errors?.[0]?.extensions).toEqual({ code: 'read_only' });
  }
  const two = { query: `query A { engines { id } } ${DISABLE.replace('mutation', 'mutation B')}`, variables };
  await expect(desk.page.invoke('graphql.execute', two)).rejects.toThrow('exactly one operation');
  await expect(desk.page.invoke('graphql.subscribe', { id: 'm', query: DISABLE, variables })).rejects.toThrow('Only');
  expect(await desk.page.invoke('graphql.execute', STATUS)).toHaveProperty('data');
  expect(
    await desk.page.invoke('graphql.execute', { query: '{ engines { id enabled } }', variables: {} }),
  ).toMatchObject({
    data: { engines: expect.arrayContaining([{ id: 'reader', enabled: true }]) },
  });
});

it('says that a key is not taken, and does not ask again and again', async () => {
  await desk.show({ url: product.url, token: 'sk-ocr-nobody' });
  await until('the refusal is told', () => desk.state === 'unauthorised');
  expect(desk.core.link.state.retryAt).toBeNull();
  const [profile] = (await desk.page.invoke('profiles.list', undefined)).profiles;
  if (!profile) throw new Error('the profile is gone');
  const { hasToken: _, ...kept } = profile;
  await desk.page.invoke('profiles.save', { ...kept, token: operator.apiKey });
  await until('the new key is taken', () => desk.state === 'live');
});

it('says that a key was revoked while it was in use', async () => {
  const other = await makeAccount(admin, { scopes: ['operator'] });
  const { key_id: keyId, api_key: token } = await admin.createKey({ accountId: other.accountId, scopes: ['operator'] });
  await live({ token });
  await follow();
  await admin.revokeKey(keyId);
  await until('the revocation is told', () => desk.state === 'unauthorised');
  const answer = await desk.page.invoke('graphql.execute', STATUS);
  expect(answer.errors?.[0]?.extensions).toMatchObject({ code: 'authentication_error', status: 401 });
});

it('tells what GraphQL refuses, once, to whoever subscribed', async () => {
  await live();
  await desk.page.invoke('graphql.subscribe', { id: 'wrong', query: 'subscription { noSuchField }', variables: {} });
  await until('the refusal is told', () => desk.events('wrong').length > 0);
  expect(desk.events('wrong')).toEqual([
    {
      id: 'wrong',
      errors: [expect.objectContaining({ message: expect.stringContaining('noSuchField') })],
      complete: true,
    },
  ]);
});

it('leaves another gateway with everything that was asked of it', async () => {
  await live();
  await follow();
  await desk.show({ url: 'http://127.0.0.1:9', token: 'sk-other', name: 'Another' });
  expect(desk.events('feed').at(-1)).toEqual({ id: 'feed', complete: true });
  await until('the other gateway is tried', () => desk.state === 'offline');
});

it('connects to nothing after its end, though a profile was being saved or chosen', async () => {
  await live();
  const { profiles } = await desk.page.invoke('profiles.list', undefined);
  const [shown] = profiles;
  if (!shown) throw new Error('there is no profile');
  const { hasToken: _, ...changed } = shown;
  const changes = [desk.page.invoke('profiles.save', changed), desk.page.invoke('profiles.select', { id: shown.id })];
  desk.core[Symbol.dispose]();
  await Promise.all(changes);
  expect([desk.core.link.gateway, desk.state]).toEqual([null, 'offline']);
});

it('does not carry the key along a redirect', async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = createServer((req, res) => {
    seen.push(req.headers.authorization);
    res.end('{}');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as { port: number }; // TCP
  const gateway = createServer((_, res) => res.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end());
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  try {
    const { port: own } = gateway.address() as { port: number }; // TCP
    await desk.show({ url: `http://127.0.0.1:${own}`, token: 'sk-secret' });
    await expect(desk.page.invoke('graphql.execute', STATUS)).rejects.toThrow('cannot be reached');
    expect(seen).toEqual([]);
  } finally {
    gateway.close();
    elsewhere.close();
  }
});

it('tells what the gateway’s alert rules find, and what fires already when it comes', async () => {
  await live();
  const rule = {
    ...{ kind: 'owed_usd', engineId: null, threshold: 0 },
    ...{ fireAfter: 2, recoverAfter: 1, cooldownMinutes: 0, enabled: true },
  };
  const query = 'mutation ($rule: AlertRuleInput!) { createAlertRule(rule: $rule) { id } }';
  const made = await desk.page.invoke('graphql.execute', { query, variables: { rule } });
  expect(made.errors).toBeUndefined();
  await owe(1_000_000_000n);
  await until('the console tells it', () => desk.notices.length > 0);
  const told = [{ title: 'Owed amounts pile up', path: '/accounts?owing=1', alerts: [{ state: 'firing' }] }];
  expect(desk.notices).toMatchObject(told);
  expect(desk.all('alerts.fired')).toEqual(desk.notices);

  await using later = await TestConsole.open();
  await later.show({ url: product.url, token: operator.apiKey });
  await until('the other console tells it', () => later.notices.length > 0);
  expect(later.notices).toMatchObject(told);
  await owe(0n);
});
