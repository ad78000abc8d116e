import { afterAll, beforeEach, expect, it } from 'vitest';
import { verified } from '../../../../test/house/webhook-receiver.ts';
import { HOOK_URL, WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());
const { office, receiver } = routes;
let accountId: string;
beforeEach(async () => {
  ({ accountId } = await routes.login());
});

it('has every attempt, newest first', async () => {
  const url = receiver.at('/second', (nth) => ({ status: nth === 1 ? 500 : 204 }));
  const created = await routes.create({ url });
  const id = await office.announce(accountId, url);
  await office.ended(id);
  const [received] = receiver.received('/second');
  const entry = {
    id,
    webhook_id: created.id,
    request_id: id.replace('whd_', 'ocr_'),
    event: 'ocr.completed',
    latency_ms: expect.any(Number),
    payload: JSON.parse(received?.bytes.toString() ?? ''),
    created_at: expect.stringMatching(/Z$/),
  };
  expect(await routes.deliveries(created.id)).toEqual([
    { ...entry, status: 'delivered', attempt: 2, response_code: 204, error: null },
    { ...entry, status: 'failed', attempt: 1, response_code: 500, error: expect.stringMatching(/500/) },
  ]);
});

it('shows what is still to be sent as pending, without a payload', async () => {
  const created = await routes.create();
  await office.pool.query(
    `insert into webhook_delivery (id, account_id, webhook_id, request_id, url, origin, event, is_failure, status, next_attempt_at)
     values ('whd_later', $1, $2, 'ocr_later', $3, 'later', 'ocr.completed', false, 'pending', now() + interval '1 hour')`,
    [accountId, created.id, HOOK_URL],
  );
  expect(await routes.deliveries(created.id)).toEqual([
    expect.objectContaining({ id: 'whd_later', status: 'pending', attempt: 0, payload: null, latency_ms: null }),
  ]);
});

it('is the latest hundred', async () => {
  const { id: webhookId, url } = await routes.create({ url: receiver.at('/many') });
  const ids = await Promise.all(Array.from({ length: 105 }, () => office.announce(accountId, url)));
  for (const id of ids) await office.ended(id);
  const times = (await routes.deliveries(webhookId)).map(({ created_at }) => created_at);
  expect(times).toHaveLength(100);
  expect(times).toEqual(times.toSorted().toReversed());
});

it('sends failures to a registration for ocr.failed, and shows the rest as skipped', async () => {
  const created = await routes.create({ url: receiver.at('/failures'), events: ['ocr.failed'] });
  for (const outcome of ['succeeded', 'partial', 'refunded', 'timeout']) {
    await office.ended(await office.announce(accountId, created.url, outcome));
  }
  const statuses = (await routes.deliveries(created.id)).map(({ status }) => status);
  expect(statuses).toEqual(['delivered', 'delivered', 'delivered', 'skipped']);
  expect(receiver.received('/failures')).toHaveLength(3);
});

it('is of this registration alone, and not of other URLs', async () => {
  const [one, two] = [
    await routes.create({ url: receiver.at('/one') }),
    await routes.create({ url: receiver.at('/two') }),
  ];
  const id = await office.announce(accountId, one.url);
  await office.ended(id);
  await office.ended(await office.announce(accountId, receiver.at('/unregistered')));
  expect((await routes.deliveries(one.id)).map((entry) => entry.id)).toEqual([id]);
  expect(await routes.deliveries(two.id)).toEqual([]);
});

it('is signed by both secrets while two registrations share a URL', async () => {
  const url = receiver.at('/rotating');
  const [old, fresh] = [await routes.create({ url }), await routes.create({ url })];
  await office.ended(await office.announce(accountId, url));
  const [received] = receiver.received('/rotating');
  for (const { secret } of [old, fresh]) expect(received && verified(received, secret)).toBeDefined();
});
