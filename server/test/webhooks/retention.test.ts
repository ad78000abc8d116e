import { afterAll, expect, it } from 'vitest';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { DeliveryRetention } from '../../src/webhooks/retention.job.ts';
import { PostOffice } from './post-office.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
office.startJob();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

it('a delivery that has ended is kept for 30 days, with its attempts, and then forgotten', async () => {
  const { accountId } = await office.account();
  const ids: string[] = [];
  for (const status of [200, 500, 200]) {
    const id = await office.announce(accountId, receiver.at(`/kept-${status}`, { status }));
    await office.ended(id);
    ids.push(id);
  }
  const [fresh = '', failed = '', old = ''] = ids;
  const age = 'update webhook_delivery set finished_at = now() - $2::interval where id = $1';
  await office.pool.query(age, [failed, '29 days 23 hours']);
  await office.pool.query(age, [old, '30 days 1 hour']);
  await using retention = new DeliveryRetention(office.pool, makeLog('silent'));
  expect(await retention.prune()).toBe(1);
  expect(await office.state(old)).toBeUndefined();
  expect(await office.attempts(old)).toEqual([]);
  expect(await office.state(fresh)).toMatchObject({ status: 'delivered' });
  expect(await office.attempts(failed)).toHaveLength(4);
  expect(await retention.prune()).toBe(0);
});
