import { afterAll, beforeEach, expect, it } from 'vitest';
import { HOOK_URL, WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());
beforeEach(() => routes.login());

it('registers a URL and shows its secret this once', async () => {
  const created = await routes.create({ url: HOOK_URL, label: 'Invoices', events: ['ocr.failed'] });
  expect(created).toEqual({
    id: expect.stringMatching(/^wh_[0-9A-HJKMNP-TV-Z]{26}$/),
    url: HOOK_URL,
    label: 'Invoices',
    secret: expect.stringMatching(/^whsec_/),
    events: ['ocr.failed'],
    is_active: true,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const { secret: _shownOnce, ...kept } = created;
  expect(await routes.list()).toEqual([kept]);
});

it('receives everything and has no label unless told otherwise', async () => {
  const created = await routes.create();
  expect(created.events).toEqual(['ocr.completed']);
  expect(created).not.toHaveProperty('label');
});

it('takes both events, and the same URL again, each time with a secret of its own', async () => {
  const both = { url: HOOK_URL, events: ['ocr.completed', 'ocr.failed'] };
  const [first, second] = [await routes.create(both), await routes.create(both)];
  expect(first.events).toEqual(['ocr.completed', 'ocr.failed']);
  expect(second.secret).not.toBe(first.secret);
  expect((await routes.list()).map(({ id }) => id)).toEqual([first.id, second.id]);
});
