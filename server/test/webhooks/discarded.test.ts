import { afterAll, expect, it } from 'vitest';
import { makeGate } from '../../../test/house/gate.ts';
import { until } from '../../../test/house/until.ts';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { forgetRequest } from '../../src/requests/store/forget.ts';
import { PostOffice } from './post-office.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

it('of a request that is deleted meanwhile, no body is kept, and what was deleted is not sent', async () => {
  const { accountId } = await office.account();
  const gate = makeGate();
  let rendered = 0;
  const render = async ({ requestId }: { requestId: string }) => {
    rendered += 1;
    const { rows } = await office.pool.query('select preview from ocr_request where id = $1', [requestId]);
    const body = JSON.stringify({ request_id: requestId, preview: rows[0]?.preview });
    if (rendered === 1) await gate.opened;
    return body;
  };
  office.startJob({ render });
  const delivery = await office.announce(
    accountId,
    receiver.at('/deleted', (nth) => ({ status: nth < 3 ? 500 : 200 })),
  );
  const requestId = delivery.replace('whd_', 'ocr_');
  await office.pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, preview, hold, finished_at)
     values ($1, $2, 'reader', 'reader', 'async', '{}', 'succeeded', 'succeeded', 'a secret', 0, now())`,
    [requestId, accountId],
  );
  office.wake();
  await until('the first body is rendered', () => rendered > 0);
  await forgetRequest(office.pool, requestId);
  gate.open();
  expect(await office.ended(delivery)).toMatchObject([
    { attempt: 1 },
    { attempt: 2 },
    { attempt: 3, status: 'delivered' },
  ]);
  expect(await office.state(delivery)).toMatchObject({ status: 'delivered', body: null });
  const bodies = receiver.received('/deleted').map(({ bytes }) => bytes.toString());
  expect(bodies).toEqual(Array(3).fill(JSON.stringify({ request_id: requestId, preview: null })));
});

it('of a request that was deleted, its URL goes when it is over, and is not sent to again; a registered one stays', async () => {
  const { accountId } = await office.account();
  const gate = makeGate();
  const answers = (status: number) => () => gate.opened.then(() => ({ status }));
  const url = receiver.at('/registered', answers(200));
  await office.registrations.create(accountId, { url });
  office.startJob();
  const once = await office.announce(accountId, receiver.at('/once/secret', answers(500)));
  const registered = await office.announce(accountId, url);
  await office.pool.query('update webhook_delivery set is_discarded = true where account_id = $1', [accountId]);
  gate.open();
  await office.ended(once);
  await office.ended(registered);
  const { rows } = await office.pool.query(
    'select id, status, url, origin from webhook_delivery where account_id = $1',
    [accountId],
  );
  expect(rows.find(({ id }) => id === once)).toMatchObject({ status: 'failed', url: '', origin: '' });
  expect(rows.find(({ id }) => id === registered)).toMatchObject({ url });
  await expect(office.log.redeliver(accountId, once)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await office.log.redeliver(accountId, registered)).toMatchObject({ status: 'pending' });
});
