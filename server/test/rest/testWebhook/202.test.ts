import { afterAll, beforeEach, expect, it } from 'vitest';
import type { DeliveryAnswer } from '../../../../test/house/answers.ts';
import { verified } from '../../../../test/house/webhook-receiver.ts';
import { WebhookRoutes } from '../../webhooks/webhook-routes.ts';

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());
beforeEach(() => routes.login());

it('sends a signed ping, and records it', async () => {
  const { office, receiver } = routes;
  const created = await routes.create({ url: receiver.at('/ping') });
  const reply = await routes.send<DeliveryAnswer>('POST', `/api/webhooks/${created.id}/test`);
  expect(reply.status).toBe(202);
  const payload = {
    event: 'webhook.test',
    webhook_id: created.id,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  };
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^whd_[0-9A-HJKMNP-TV-Z]{26}$/),
    webhook_id: created.id,
    request_id: null,
    event: 'webhook.test',
    status: 'pending',
    attempt: 0,
    response_code: null,
    latency_ms: null,
    error: null,
    payload,
    created_at: expect.stringMatching(/Z$/),
  });
  const [received] = await receiver.gets('/ping');
  expect(received && verified(received, created.secret)).toEqual(payload);
  expect(received?.headers['webhook-id']).toBe(reply.body.id);
  expect(received?.headers).not.toHaveProperty('x-service-request-id');
  await office.ended(reply.body.id);
  expect(await routes.deliveries(created.id)).toEqual([
    expect.objectContaining({ id: reply.body.id, status: 'delivered', attempt: 1, response_code: 200, payload }),
  ]);
});

it('pings a registration for failures, too', async () => {
  const created = await routes.create({ url: routes.receiver.at('/failures-only'), events: ['ocr.failed'] });
  await routes.send('POST', `/api/webhooks/${created.id}/test`);
  await routes.receiver.gets('/failures-only');
});

it('sends nothing while the registration is not active, and logs that', async () => {
  const created = await routes.create({ url: routes.receiver.at('/asleep') });
  await routes.send('PATCH', `/api/webhooks/${created.id}`, { is_active: false });
  const { body } = await routes.send<DeliveryAnswer>('POST', `/api/webhooks/${created.id}/test`);
  await routes.office.ended(body.id);
  const entry = { status: 'skipped', attempt: 0, response_code: null, latency_ms: null, error: expect.any(String) };
  expect(await routes.deliveries(created.id)).toEqual([expect.objectContaining(entry)]);
  expect(routes.receiver.received('/asleep')).toEqual([]);
});
