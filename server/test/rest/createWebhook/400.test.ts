import { afterAll, beforeEach, expect, it } from 'vitest';
import { expectError } from '../../../../test/house/expect-error.ts';
import { HOOK_URL, WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());
beforeEach(() => routes.login());

it.each([
  [{}, /url/],
  [{ url: 7 }, /url/],
  [{ url: null }, /url/],
  [{ url: '' }, /url/],
  [{ url: 'no url' }, /url/],
  [{ url: 'ftp://example.com/x' }, /url/],
  [{ url: 'https://user:pass@example.com/' }, /url/],
  [{ url: 'http://10.0.0.1/x' }, /url/],
  [{ url: 'http://169.254.169.254/latest' }, /url/],
  [{ url: 'http://[fd00::1]/' }, /url/],
  [{ url: `https://example.com/${'x'.repeat(8192)}` }, /url/],
  [{ url: HOOK_URL, events: [] }, /events/],
  [{ url: HOOK_URL, events: ['ocr.started'] }, /events/],
  [{ url: HOOK_URL, events: ['ocr.failed', 'ocr.failed'] }, /events/],
  [{ url: HOOK_URL, events: 'ocr.failed' }, /events/],
  [{ url: HOOK_URL, label: 7 }, /label/],
  [{ url: HOOK_URL, label: 'x'.repeat(201) }, /label/],
  [{ url: HOOK_URL, label: 'a\u0000b' }, /label/],
  [{ url: HOOK_URL, label: '\ud800' }, /label/],
  [[], /body/],
])('refuses %j', async (body, message) => {
  expectError(await routes.send('POST', '/api/webhooks', body), 400, 'invalid_request', message);
  expect(await routes.list()).toEqual([]);
});

it('takes ten of an account and refuses the eleventh, also when all come at once', async () => {
  const bodies = Array.from({ length: 14 }, (_, n) => ({ url: `${HOOK_URL}/${n}` }));
  const replies = await Promise.all(bodies.map((body) => routes.send('POST', '/api/webhooks', body)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
  expectError(await routes.send('POST', '/api/webhooks', { url: HOOK_URL }), 400, 'invalid_request', /10/);
  const kept = await routes.list();
  expect(kept).toHaveLength(10);
  expect((await routes.send('DELETE', `/api/webhooks/${kept[0]?.id}`)).status).toBe(204);
  await routes.create();
});

it('counts each account by itself', async () => {
  for (let n = 0; n < 10; n++) await routes.create();
  await routes.login();
  await routes.create();
});
