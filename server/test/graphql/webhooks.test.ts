import { graphql } from 'graphql';
import { afterAll, expect, it } from 'vitest';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { FailedDeliveriesResolver } from '../../src/webhooks/failed-deliveries.resolver.ts';
import { FailedDeliveries } from '../../src/webhooks/failed-deliveries.ts';
import { WebhooksResolver } from '../../src/webhooks/webhooks.resolver.ts';
import { PostOffice } from '../webhooks/post-office.ts';
import { loggedIn } from '../webhooks/webhook-routes.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
const schema = makeSchema([
  new WebhooksResolver(office.registrations, office.log, office.limiter),
  new FailedDeliveriesResolver(new FailedDeliveries(office.pool, () => office.wake())),
]);
office.startJob();
const { accountId } = await office.account();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function ask(source: string, via: 'session' | 'key' | 'operator' = 'session') {
  const caller =
    via === 'operator' ? { ...loggedIn(accountId, 'key'), scopes: ['operator' as const] } : loggedIn(accountId, via);
  const { data, errors } = await graphql({ schema, source, contextValue: { caller } });
  // Plain objects, as they would go out.
  return JSON.parse(JSON.stringify({ data, errors: errors?.map(({ originalError }) => originalError) }));
}

it('lists what went to URLs that are no registration, and sends it again', async () => {
  let healthy = false;
  const url = receiver.at('/unregistered', () => ({ status: healthy ? 200 : 500 }));
  const id = await office.announce(accountId, url);
  await office.ended(id);
  const list = '{ webhookDeliveries { id webhookId url status round attempt responseCode } }';
  const entry = { id, webhookId: null, url, status: 'failed', responseCode: 500 };
  const attempts = [4, 3, 2, 1].map((attempt) => ({ ...entry, round: 1, attempt }));
  expect((await ask(list)).data.webhookDeliveries).toEqual(attempts);
  healthy = true;
  const again = `mutation { redeliverWebhook(deliveryId: "${id}") { id status round attempt } }`;
  expect((await ask(again)).data.redeliverWebhook).toEqual({ id, status: 'pending', round: 2, attempt: 0 });
  await office.ended(id);
  const delivered = { ...entry, status: 'delivered', round: 2, attempt: 1, responseCode: 200 };
  expect((await ask(list)).data.webhookDeliveries).toEqual([delivered, ...attempts]);
});

it('shows the body byte by byte, as its signature is of', async () => {
  const id = await office.announce(accountId, receiver.at('/signed'));
  await office.ended(id);
  const { webhookDeliveries } = (await ask('{ webhookDeliveries { id body payload } }')).data;
  const [sent] = receiver.received('/signed');
  const shown = webhookDeliveries.find((each: { id: string }) => each.id === id);
  expect(shown.body).toBe(sent?.bytes.toString());
  expect(shown.payload).toEqual(JSON.parse(shown.body));
});

it('lists what failed of every account, newest first, and sends it again together, for operators', async () => {
  let healthy = false;
  const url = receiver.at('/down', () => ({ status: healthy ? 200 : 503 }));
  const other = await office.account();
  const owners = [accountId, other.accountId, other.accountId];
  const ids: string[] = [];
  for (const owner of owners) ids.push(await office.announce(owner, url));
  for (const id of ids) await office.ended(id);
  const [first, second, third] = ids;
  const of = (args: string) =>
    ask(
      `{ failedDeliveries(${args}) {
    nodes { id accountId accountEmail requestId receiver url attempt responseCode } pageInfo { hasNextPage endCursor } } }`,
      'operator',
    );
  const idsOf = async (args: string) =>
    (await of(args)).data.failedDeliveries.nodes.map(({ id }: { id: string }) => id);
  const at = `receiver: "${new URL(url).host}"`;
  const { nodes, pageInfo } = (await of(`first: 2, ${at}`)).data.failedDeliveries;
  expect(nodes.map(({ id }: { id: string }) => id)).toEqual([third, second]);
  expect(nodes[0]).toMatchObject({
    accountId: other.accountId,
    accountEmail: expect.stringContaining('@example.com'),
    requestId: third?.replace('whd_', 'ocr_'),
    url,
    attempt: 4,
    responseCode: 503,
  });
  expect(pageInfo).toEqual({ hasNextPage: true, endCursor: second });
  expect(await idsOf(`${at}, after: "${second}"`)).toContain(first);
  expect(await idsOf(`accountId: "${other.accountId}"`)).toEqual([third, second]);
  expect(await idsOf(`since: "${new Date(Date.now() + 60_000).toISOString()}"`)).toEqual([]);

  healthy = true;
  const again = (...of: unknown[]) => `mutation { redeliverWebhooks(deliveryIds: ${JSON.stringify(of)}) }`;
  expect((await ask(again(second, third), 'operator')).data.redeliverWebhooks).toBe(2);
  for (const id of [second, third]) await office.ended(id ?? '');
  expect(await idsOf(`accountId: "${other.accountId}"`)).toEqual([]);
  expect(await idsOf(`${at}`)).toContain(first);
  // What has arrived is not sent once more.
  expect((await ask(again(second), 'operator')).data.redeliverWebhooks).toBe(0);

  for (const source of ['{ failedDeliveries { nodes { id } } }', again(first)]) {
    expect((await ask(source)).errors).toEqual([expect.objectContaining({ code: 'insufficient_scope' })]);
  }
  const tooMany = Array.from({ length: 101 }, () => first);
  for (const source of [
    again(),
    again('whd_1'),
    again(...tooMany),
    '{ failedDeliveries(after: "x") { nodes { id } } }',
  ]) {
    expect((await ask(source, 'operator')).errors).toEqual([expect.objectContaining({ code: 'invalid_request' })]);
  }
});

it('hands a secret out when it is made, and never after', async () => {
  const made = await ask('mutation { createWebhook(url: "https://hooks.example.com/") { id secret } }');
  expect(made.data.createWebhook.secret).toMatch(/^whsec_/);
  const { webhooks } = (await ask('{ webhooks { id secret } }')).data;
  expect(webhooks).toEqual([{ id: made.data.createWebhook.id, secret: null }]);
});

it.each([
  '{ webhooks { id } }',
  '{ webhookDeliveries { id } }',
  'mutation { createWebhook(url: "https://hooks.example.com/") { id } }',
  'mutation { updateWebhook(id: "wh_1") { id } }',
  'mutation { deleteWebhook(id: "wh_1") }',
  'mutation { testWebhook(id: "wh_1") { id } }',
  'mutation { redeliverWebhook(deliveryId: "whd_1") { id } }',
])('refuses an API key: %s', async (source) => {
  expect((await ask(source, 'key')).errors).toEqual([expect.objectContaining({ code: 'authentication_error' })]);
});

it.each([
  'mutation { createWebhook(url: "http://10.0.0.1/") { id } }',
  'mutation { createWebhook(url: "https://hooks.example.com/", events: ["ocr.started"]) { id } }',
  `mutation { createWebhook(url: "https://hooks.example.com/", label: "${'x'.repeat(201)}") { id } }`,
])('checks what no contract checked before: %s', async (source) => {
  expect((await ask(source)).errors).toEqual([expect.objectContaining({ code: 'invalid_request' })]);
});
