import { afterAll, expect, it } from 'vitest';
import { expectError } from '../../../../test/house/expect-error.ts';
import { WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());
await routes.login();
const { secret: _shownOnce, ...created } = await routes.create();

it.each([
  [{ url: 'http://192.168.0.1/' }, /url/],
  [{ url: 'http://172.16.0.1:8080/' }, /url/],
  [{ url: 'file:///etc/passwd' }, /url/],
  [{ url: 'http://metadata@169.254.169.254/' }, /url/],
  [{ url: '' }, /url/],
  [{ events: [] }, /events/],
  [{ events: ['webhook.test'] }, /events/],
  [{ is_active: 'no' }, /is_active/],
  [{ label: 'x'.repeat(201) }, /label/],
])('refuses %j and changes nothing', async (body, message) => {
  expectError(await routes.send('PATCH', `/api/webhooks/${created.id}`, body), 400, 'invalid_request', message);
  expect(await routes.list()).toEqual([created]);
});
