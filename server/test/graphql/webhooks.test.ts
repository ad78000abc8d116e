import { graphql } from 'graphql';
import { afterAll, expect, it } from 'vitest';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { forgetRequest, purgeTexts } from '../../src/requests/store/forget.ts';
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

it('shows the headers of each attempt as its receiver got them, the signature among them', async () => {
  const url = receiver.at('/headers', (nth) => ({ status: nth < 3 ? 500 : 200 }));
  const id = await office.announce(accountId, url);
  await office.ended(id);
  const shown = async () => {
    const { data } = await ask('{ webhookDeliveries { id attempt headers } }');
    return data.webhookDeliveries.filter((each: { id: string }) => each.id === id);
  };
  const received = receiver.received('/headers').map(({ headers }) => headers);
  const attempts = await shown();
  expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([3, 2, 1]);
  for (const { attempt, headers } of attempts) {
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']),
    );
    expect(received[attempt - 1]).toMatchObject(headers);
  }
  expect(JSON.stringify(attempts)).not.toContain('whsec_');
});

it('keeps no signature of a body that may not be kept, and no header of a deleted request', async () => {
  const other = await office.account();
  const names = async (id: string) => {
    const { rows } = await office.pool.query<{ names: string[] | null }>(
      `select case when headers is not null then array(select jsonb_object_keys(headers)) end as names from webhook_attempt where delivery_id = $1`,
      [id],
    );
    return rows.map((row) => row.names);
  };
  const announced = async () => {
    const id = await office.announce(other.accountId, receiver.at('/kept', { status: 200 }));
    await office.ended(id);
    await office.pool.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, created_at, finished_at)
       values ($1, $2, 'reader', 'reader', 'async', '{}', 'succeeded', 'succeeded', 0, now(), now())`,
      [id.replace('whd_', 'ocr_'), other.accountId],
    );
    return id;
  };
  const [kept, deleted] = [await announced(), await announced()];
  expect(await names(kept)).toEqual([expect.arrayContaining(['webhook-timestamp', 'webhook-signature'])]);
  await forgetRequest(office.pool, deleted.replace('whd_', 'ocr_'));
  expect(await names(deleted)).toEqual([null]);
  await office.pool.query('update account set history = false, history_off_at = now() where id = $1', [
    other.accountId,
  ]);
  await office.pool.query('insert into text_purge (account_id) values ($1)', [other.accountId]);
  await purgeTexts(office.pool, other.accountId);
  const without = await announced();
  for (const id of [kept, without]) {
    const [left] = await names(id);
    expect(left).toContain('webhook-timestamp');
    expect(left).not.toContain('webhook-signature');
  }
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
