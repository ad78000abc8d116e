import { beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Socket, socketOf } from '../house/socket.ts';
import { until } from '../house/until.ts';

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account();
  operator = await house.account({ scopes: ['operator'] });
});

const MINE = 'subscription { requestsChanged { requestId status outcome cursor } }';
const ONE = 'subscription ($id: ID!) { requestChanged(id: $id) { requestId status } }';
const FEED = 'subscription { jobFeed { requestId accountId status } }';

it('tells an account of its requests, from their acceptance to their end', async () => {
  await using socket = await socketOf(house.product.url, owner.apiKey);
  const mine = socket.subscribe(MINE);
  await begun(socket);
  const { request_id: requestId } = (await owner.caller.ocr(await pictureBody())).body;
  await until('the end is told', () => mine.events.length >= 2);
  expect(mine.events).toEqual([
    { requestsChanged: { requestId, status: 'processing', outcome: 'processing', cursor: expect.any(String) } },
    { requestsChanged: { requestId, status: 'succeeded', outcome: 'succeeded', cursor: expect.any(String) } },
  ]);
});

it('tells how one request is now, and every change', async () => {
  const gate = makeGate();
  house.engines.script('reader', () => gate.opened.then(() => says('read')));
  const { request_id: id } = (await owner.caller.ocr(await pictureBody('reader', { mode: 'async' }))).body;
  await using socket = await socketOf(house.product.url, owner.apiKey);
  const one = socket.subscribe(ONE, { id });
  await until('the state is told', () => one.events.length === 1);
  gate.open();
  await until('the end is told', () => one.events.length >= 2);
  expect(one.events.at(-1)).toEqual({ requestChanged: { requestId: id, status: 'succeeded' } });
});

it('lists what a reconnecting client has missed from the cursor of its last event', async () => {
  await using socket = await socketOf(house.product.url, owner.apiKey);
  const mine = socket.subscribe(MINE);
  await begun(socket);
  await owner.caller.ocr(await pictureBody());
  const seen = await until('an event', () => mine.events.at(-1) as { requestsChanged: { cursor: string } });
  await socket[Symbol.asyncDispose]();
  const { request_id: missed } = (await owner.caller.ocr(await pictureBody())).body;
  await using again = await socketOf(house.product.url, owner.apiKey);
  const list = again.subscribe('query ($since: String) { requests(filter: {changedSince: $since}) { nodes { id } } }', {
    since: seen.requestsChanged.cursor,
  });
  await until('the list is there', () => list.completed);
  expect(list.events).toEqual([{ requests: { nodes: expect.arrayContaining([{ id: missed }]) } }]);
});

it('tells no account of another one’s requests, and operators of all', async () => {
  const other = await house.account();
  await using socket = await socketOf(house.product.url, other.apiKey);
  const mine = socket.subscribe(MINE);
  await using watching = await socketOf(house.product.url, operator.apiKey);
  const feed = watching.subscribe(FEED);
  await begun(socket);
  await begun(watching);
  const { request_id: requestId } = (await owner.caller.ocr(await pictureBody())).body;
  await until('operators are told', () => feed.events.length >= 2);
  expect(feed.events.at(-1)).toEqual({ jobFeed: { requestId, accountId: owner.accountId, status: 'succeeded' } });
  expect(mine.events).toEqual([]);
});

it('refuses what the caller may not watch', async () => {
  const { request_id: id } = (await owner.caller.ocr(await pictureBody())).body;
  const other = await house.account();
  await using socket = await socketOf(house.product.url, other.apiKey);
  const refused = async (query: string, variables = {}) => {
    const operation = socket.subscribe(query, variables);
    return until('it is refused', () => operation.codes);
  };
  expect(await refused(ONE, { id })).toEqual(['not_found']);
  expect(await refused(FEED)).toEqual(['insufficient_scope']);
  expect(await refused('subscription { queuesChanged { queued } }')).toEqual(['insufficient_scope']);
  expect(await refused('subscription { engineHealthChanged { status } }')).toEqual(['insufficient_scope']);
  const scoped = await house.account({ scopes: ['ocr:write'] });
  await using narrow = await socketOf(house.product.url, scoped.apiKey);
  const operation = narrow.subscribe(MINE);
  expect(await until('it is refused', () => operation.codes)).toEqual(['insufficient_scope']);
});

it('tells operators of queues and engine health', async () => {
  await using socket = await socketOf(house.product.url, operator.apiKey);
  const queues = socket.subscribe('subscription { queuesChanged { engineId running } }');
  const health = socket.subscribe('subscription { engineHealthChanged { engineId status } }');
  await until('both begin', () => queues.events.length > 0 && health.events.length > 0);
  const gate = makeGate();
  house.engines.script('reader', () => gate.opened.then(() => says('read')));
  const sending = owner.caller.ocr(await pictureBody());
  await until('the work is told', () =>
    queues.events.some((event) => JSON.stringify(event) === '{"queuesChanged":[{"engineId":"reader","running":1}]}'),
  );
  gate.open();
  await sending;
});

it('lets the dashboard’s own pages subscribe by their session', async () => {
  const { cookie } = await house.admin.createSession(owner.accountId, new URL(house.product.dashboardUrl));
  const headers = { cookie, origin: new Browser(house.product).origin };
  await using socket = await new Socket(house.product.dashboardUrl, headers).enter();
  const mine = socket.subscribe(MINE);
  await begun(socket);
  await owner.caller.ocr(await pictureBody());
  await until('it is told', () => mine.events.length > 0);
  await using foreign = new Socket(house.product.dashboardUrl, { cookie, origin: 'https://elsewhere.example' });
  expect(await foreign.closed()).toBe(1006);
});

/** What was subscribed before on the socket has begun: operations are taken in their order. */
async function begun(socket: Socket): Promise<void> {
  const marker = socket.subscribe('{ changelog { apiVersion } }');
  await until('the marker is answered', () => marker.completed);
}
