import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../server/src/accounts/model/scopes.ts';
import { Browser } from '../house/browser.ts';
import type { Caller } from '../house/caller.ts';
import { says } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import type { House, HouseAccount } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { until } from '../house/until.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';

const SECRET = 'The secret sum is four thousand.\nIt is payable within thirty days.\nThank you for your order.';

/** Everything of a request that is made of its text, or may be. */
const FIELDS = `extractedText extractedTextPlain extractedTextPreview extractedTextIfShort renderedBody
  providerError warnings warning understood appliedSettings { native } timeline { detail } outputs { reason url }
  metadata { warnings possibleDuplicate { lines text } fallback { reason } } job { pagesFailed { message } }
  pagesFailed { message } pageResults { text lines tables message } includedPages { text lines tables message }
  attempts { message usage } deliveries { status url body payload headers }`;

/** The query of an address may hold a secret of its receiver. */
const PRIVATE = '?key=private';

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;
let receiver: WebhookReceiver;
let id: string;

beforeAll(async () => {
  house = await sharedHouse('several');
  receiver = await WebhookReceiver.start();
  [owner, operator] = await Promise.all([
    house.account(),
    house.account({ scopes: ['operator', 'ocr:write', 'ocr:read'] }),
  ]);
  id = await sent(owner.caller, '/told');
});
afterAll(() => receiver[Symbol.asyncDispose]());

interface Delivered {
  readonly deliveries: readonly { readonly status: string }[];
}

const DELIVERED = 'query ($id: ID!) { request(id: $id) { deliveries { status } } }';

/** A request whose text repeats its end, once its webhook has told of it. */
async function sent(caller: Caller, path: string): Promise<string> {
  house.engines.script('reader', says(`${SECRET}\n${SECRET}`));
  const hook = receiver.at(`${path}${PRIVATE}`);
  const native_settings = { stop: ['a private word'], temperature: 0.25 };
  const more = { mode: 'async', webhook_url: hook, include: ['lines', 'tables'], native_settings };
  const { body } = await caller.ocr(await pictureBody('reader', more));
  const [told] = await receiver.gets(`${path}${PRIVATE}`);
  expect(told?.bytes.toString()).toContain('secret');
  await until('the delivery is over', async () => {
    const { data } = await ask<{ request: Delivered }>(caller, DELIVERED, { id: body.request_id });
    return data.request.deliveries.every(({ status }) => status === 'delivered');
  });
  return body.request_id;
}

async function keyOf({ accountId }: HouseAccount, scopes: readonly Scope[]): Promise<Caller> {
  return house.callerWith((await house.admin.createKey({ accountId, scopes })).api_key);
}

interface Shown {
  readonly metadata: { readonly possibleDuplicate: object | null };
  readonly deliveries: readonly object[];
}

const ONE = `query ($id: ID!) { shown: request(id: $id) { ${FIELDS} } }`;
const NODE = `query ($id: ID!) { shown: node(id: $id) { ... on OcrRequest { ${FIELDS} } } }`;
const CANCELLED = `mutation ($id: ID!) { shown: cancelRequest(id: $id) { ${FIELDS} } }`;
/** What was handed to the engine itself may be the account's alone: operators of others see names. */
const NAMES = { appliedSettings: { native: { stop: null, temperature: null } } };
const HIDDEN = {
  metadata: { possibleDuplicate: { lines: 3, text: '' } },
  deliveries: [{ status: 'delivered', body: null, payload: null, headers: null }],
};
const TO_OTHERS = {
  deliveries: [{ ...HIDDEN.deliveries[0], url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/told$/) }],
};

it('a key that may not read sees nothing of a text, nor what a webhook told of it', async () => {
  const writer = await keyOf(owner, ['ocr:write']);
  const { data, codes } = await ask<{ shown: Shown }>(writer, CANCELLED, { id });
  expect(codes).toEqual([]);
  expect(data.shown).toMatchObject(HIDDEN);
  expect(JSON.stringify(data)).not.toContain('secret');
  const { status, body, text } = await writer.call<Record<string, unknown>>('POST', `/v1/ocr/${id}/cancel`);
  expect([status, body['metadata']]).toMatchObject([200, { possible_duplicate: { lines: 3, text: '' } }]);
  expect(text).not.toContain('secret');
});

it.each([
  ['request', ONE],
  ['node', NODE],
  ['cancelRequest', CANCELLED],
])('an operator of another account sees nothing of a text: %s', async (_name, operation) => {
  const { data, codes } = await ask<{ shown: Shown }>(operator.caller, operation, { id });
  expect(codes).toEqual([]);
  expect(data.shown).toMatchObject({
    ...HIDDEN,
    ...NAMES,
    ...TO_OTHERS,
    understood: { native: ['stop', 'temperature'] },
  });
  expect(JSON.stringify(data)).not.toMatch(/secret|private/);
});

it('an operator of another account sees nothing of a text over REST', async () => {
  const { status, body, text } = await operator.caller.call<Record<string, unknown>>('POST', `/v1/ocr/${id}/cancel`);
  expect([status, body['metadata']]).toMatchObject([200, { possible_duplicate: { lines: 3, text: '' } }]);
  expect(text).not.toMatch(/secret|private/);
});

it('lists show operators nothing of the texts of others', async () => {
  const filter = `filter: { accountId: "${owner.accountId}" }`;
  const list = `{ requests(${filter}) { nodes { ${FIELDS} } edges { node { ${FIELDS} } } }
    slowestRequests(${filter}) { ${FIELDS} } }`;
  const { data, codes } = await ask<{ requests: { nodes: Shown[] }; slowestRequests: Shown[] }>(operator.caller, list);
  expect(codes).toEqual([]);
  const shown = { ...HIDDEN, ...NAMES, ...TO_OTHERS };
  expect([data.requests.nodes, data.slowestRequests]).toMatchObject([[shown], [shown]]);
  expect(JSON.stringify(data)).not.toMatch(/secret|private/);
});

it('nor do other lists and nodes of webhooks show operators the queries of the addresses of others', async () => {
  const { accountId, caller } = await house.account();
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const login = new Browser(house.product).take(cookie);
  const url = receiver.at(`/failing${PRIVATE}`, { status: 500 });
  const registered = await login.send<{ id: string }>('POST', '/api/webhooks', { url });
  expect(registered.status).toBe(201);
  const sentTo = await caller.ocr(await pictureBody('reader', { mode: 'async', webhook_url: url }));
  const deliveryId = `whd_${sentTo.body.request_id.slice(4)}`;
  const lists = `query ($account: ID!, $delivery: ID!) {
    webhooks(accountId: $account) { url } webhookDeliveries(accountId: $account) { url }
    failedDeliveries(accountId: $account) { nodes { url receiver } }
    node(id: $delivery) { ... on WebhookDelivery { url } } }`;
  interface Lists {
    webhooks: { url: string }[];
    failedDeliveries: { nodes: { url: string; receiver: string }[] };
  }
  const asked = { account: accountId, delivery: deliveryId };
  const read = async () => (await ask<Lists>(operator.caller, lists, asked)).data;
  const data = await until('it was given up', async () => {
    const seen = await read();
    return seen.failedDeliveries.nodes.length > 0 && seen;
  });
  const [shown, receiverOf] = [new URL(url), new URL(url).host];
  expect(data).toMatchObject({
    webhooks: [{ url: `${shown.origin}/failing` }],
    failedDeliveries: { nodes: [{ url: `${shown.origin}/failing`, receiver: receiverOf }] },
    node: { url: `${shown.origin}/failing` },
  });
  expect(JSON.stringify(data)).not.toContain('private');
  const again = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { url } }';
  const redelivered = await ask(operator.caller, again, { id: deliveryId });
  expect(redelivered.data).toEqual({ redeliverWebhook: { url: `${shown.origin}/failing` } });
  await receiver.gets(`/failing${PRIVATE}`, 5); // it goes where it went, all the same
  const own = await login.graphql<{ data: Lists }>('{ webhooks { url } }');
  expect(own.body.data.webhooks).toEqual([{ url }]);
});

it('a key of operators that may not read sees nothing of the texts of its own account', async () => {
  const account = await house.account();
  const own = await sent(account.caller, '/own');
  const keeper = await keyOf(account, ['operator']);
  const list = `{ requests { nodes { ${FIELDS} } } webhookDeliveries { id status body payload headers } }`;
  const shown = await ask(keeper, ONE, { id: own });
  const listed = await ask<{ webhookDeliveries: { id: string }[] }>(keeper, list);
  expect([...shown.codes, ...listed.codes]).toEqual([]);
  expect(JSON.stringify([shown, listed])).not.toContain('secret');
  const deliveryId = listed.data.webhookDeliveries[0]?.id;
  const again = `mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id body payload } }`;
  const node = `query ($id: ID!) { node(id: $id) { ... on WebhookDelivery { id body payload } } }`;
  const hidden = { id: deliveryId, body: null, payload: null };
  expect((await ask(keeper, node, { id: deliveryId })).data).toEqual({ node: hidden });
  expect((await ask(keeper, again, { id: deliveryId })).data).toEqual({ redeliverWebhook: hidden });
});

it('its account sees all of it, by a key that may read and by its login; its lists carry no text', async () => {
  const { cookie } = await house.admin.createSession(owner.accountId, new URL(house.product.dashboardUrl));
  const login = new Browser(house.product).take(cookie);
  const byLogin = await login.graphql<{ data: { shown: Shown } }>(ONE, { id });
  const byKey = await ask<{ shown: Shown }>(owner.caller, ONE, { id });
  const told = { extracted_text_preview: expect.stringContaining('secret') };
  for (const { shown } of [byLogin.body.data, byKey.data]) {
    expect(shown).toMatchObject({
      extractedText: expect.stringContaining('secret'),
      appliedSettings: { native: { stop: ['a private word'], temperature: 0.25 } },
      metadata: { possibleDuplicate: { lines: 3, text: SECRET } },
      deliveries: [{ payload: told, body: expect.stringContaining('secret'), headers: expect.any(Object) }],
    });
  }
  const list =
    '{ requests { nodes { extractedText extractedTextPreview metadata { possibleDuplicate { lines text } } } } }';
  const { data } = await ask(owner.caller, list);
  expect(data).toEqual({ requests: { nodes: [expect.objectContaining({ metadata: HIDDEN.metadata })] } });
  expect(JSON.stringify(data)).not.toContain('secret');
});
