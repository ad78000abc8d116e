import { afterAll, expect, it } from 'vitest';
import { expectError } from '../../../../test/house/expect-error.ts';
import { verified } from '../../../../test/house/webhook-receiver.ts';
import { WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());

it('removes the registration and its log, and the account signs from then on', async () => {
  const { office, receiver } = routes;
  const { accountId, secret } = await routes.login();
  const created = await routes.create({ url: receiver.at('/removed') });
  await office.ended(await office.announce(accountId, created.url));
  expect(await routes.deliveries(created.id)).toHaveLength(1);
  const reply = await routes.send('DELETE', `/api/webhooks/${created.id}`);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expectError(await routes.send('GET', `/api/webhooks/${created.id}/deliveries`), 404, 'not_found');
  expect(await routes.list()).toEqual([]);
  expect(await office.log.ofAccount(accountId)).toEqual([]);
  await office.ended(await office.announce(accountId, created.url));
  const [before, after] = receiver.received('/removed');
  expect(before && verified(before, created.secret)).toBeDefined();
  expect(after && verified(after, secret)).toBeDefined();
});

it('does not lose what is still on its way', async () => {
  const { office, receiver } = routes;
  const { accountId, secret } = await routes.login();
  const created = await routes.create({ url: receiver.at('/on-its-way') });
  const url = receiver.at('/on-its-way', async (nth) => {
    if (nth === 1) await routes.send('DELETE', `/api/webhooks/${created.id}`);
    return { status: nth === 1 ? 500 : 200 };
  });
  const id = await office.announce(accountId, url);
  expect((await office.ended(id)).at(-1)).toMatchObject({ status: 'delivered', attempt: 2 });
  const last = receiver.received('/on-its-way').at(-1);
  expect(last && verified(last, secret)).toBeDefined();
});
