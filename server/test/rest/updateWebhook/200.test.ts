import { afterAll, beforeEach, expect, it } from 'vitest';
import type { WebhookAnswer } from '../../../../test/house/answers.ts';
import { until } from '../../../../test/house/until.ts';
import { verified } from '../../../../test/house/webhook-receiver.ts';
import { HOOK_URL, WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());

let accountId: string;
beforeEach(async () => {
  ({ accountId } = await routes.login());
});

it('changes what is given and leaves the rest', async () => {
  const { secret: _shownOnce, ...created } = await routes.create({ url: HOOK_URL, label: 'Invoices' });
  const path = `/api/webhooks/${created.id}`;
  expect((await routes.send('PATCH', path, {})).body).toEqual(created);
  const stopped = await routes.send('PATCH', path, { is_active: false });
  expect([stopped.status, stopped.body]).toEqual([200, { ...created, is_active: false }]);
  const change = { url: `${HOOK_URL}/2`, label: 'Bills', events: ['ocr.completed', 'ocr.failed'], is_active: true };
  const { body } = await routes.send<WebhookAnswer>('PATCH', path, change);
  expect(body).toEqual({ ...created, ...change });
  expect(await routes.list()).toEqual([body]);
});

it('keeps the secret, at the new URL as well', async () => {
  const { id, secret } = await routes.create();
  const url = routes.receiver.at('/moved');
  await routes.send('PATCH', `/api/webhooks/${id}`, { url });
  await routes.office.ended(await routes.office.announce(accountId, url));
  const [received] = routes.receiver.received('/moved');
  expect(received && verified(received, secret)).toBeDefined();
});

it('stops deliveries that are in the middle of their retries', async () => {
  const { office, receiver } = routes;
  const created = await routes.create({ url: receiver.at('/switched') });
  const url = receiver.at('/switched', async () => {
    await routes.send('PATCH', `/api/webhooks/${created.id}`, { is_active: false });
    return { status: 500 };
  });
  const id = await office.announce(accountId, url);
  await until('it is skipped', async () => (await office.state(id)).status === 'skipped');
  expect(receiver.received('/switched')).toHaveLength(1);
  expect((await routes.deliveries(created.id)).map(({ status, attempt }) => [status, attempt])).toEqual([
    ['skipped', 0],
    ['failed', 1],
  ]);
});
