import { afterAll, expect, it } from 'vitest';
import { until } from '../../../test/house/until.ts';
import { verified, WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { Places } from '../../src/webhooks/places.ts';
import { PostOffice } from './post-office.ts';

const receiver = await WebhookReceiver.start();
const ONE = { perReceiver: 1, perAccount: 1, perLine: 1, attempts: 4, unsent: 10 };
const offices: PostOffice[] = [];
afterAll(async () => {
  for (const office of offices) await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function open(): Promise<PostOffice> {
  const office = await PostOffice.open();
  offices.push(office);
  return office;
}

it('delivers again, with the same id and bytes, what a process sent and did not live to note', async () => {
  const office = await open();
  const { accountId, secret } = await office.account();
  const id = await office.announce(accountId, receiver.at('/noted-late'));
  // A process that claims, keeps the body, sends it, and dies before it can close the attempt.
  const dead = office.store(0);
  const [claimed] = await dead.claim(1, ONE, new Places().busy);
  if (!claimed) throw new Error('nothing was due');
  const body = JSON.stringify({ request_id: 'kept' });
  expect(await dead.keepBody(claimed.delivery, body)).toBe('kept');
  await fetch(claimed.delivery.url, { method: 'POST', headers: { 'webhook-id': id }, body });

  office.startJob();
  const log = await office.ended(id);
  expect(log).toEqual([
    { attempt: 1, status: 'failed', responseCode: null, error: expect.stringMatching(/unknown/) },
    { attempt: 2, status: 'delivered', responseCode: 200, error: null },
  ]);
  const received = receiver.received('/noted-late');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  expect(received.map(({ bytes }) => bytes.toString())).toEqual([body, body]);
  const last = received.at(-1);
  expect(last && verified(last, secret)).toEqual({ request_id: 'kept' });
});

it('lets the process that was slow change nothing once another has the delivery', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/slow'));
  const slow = office.store(0);
  const [claimed] = await slow.claim(1, ONE, new Places().busy);
  const [again] = await office.store(30_000).claim(1, ONE, new Places().busy);
  if (!claimed || !again) throw new Error('nothing was due');
  expect(again.delivery.fence).toBeGreaterThan(claimed.delivery.fence);
  const failed = { delivered: false, responseCode: 500, latencyMs: 1, error: 'The receiver answered 500.' };
  await slow.close(claimed.delivery, failed, { webhookId: null, startedAt: new Date(), retryAfterMs: null });
  expect(await slow.keepBody(claimed.delivery, '{}')).toBe('lost');
  await slow.handBack(claimed.delivery);
  expect(await office.state(id)).toEqual({ status: 'pending', attempt: 0, body: null });
});

/** A process that takes what is due, goes so far with it, and dies. */
async function life(office: PostOffice, { sends }: { sends: boolean }): Promise<boolean> {
  const dying = office.store(0);
  const [claimed] = await dying.claim(1, ONE, new Places().busy);
  if (claimed && sends && claimed.delivery.body === null) await dying.keepBody(claimed.delivery, '{}');
  return claimed !== undefined;
}

it('is not sent for ever when every process that sends it dies before it can note the end', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/deadly'));
  for (const _life of [1, 2, 3, 4]) expect(await life(office, { sends: true })).toBe(true);
  expect(await life(office, { sends: true })).toBe(false);
  expect(await office.state(id)).toMatchObject({ status: 'failed', attempt: 4 });
  expect((await office.attempts(id)).map(({ attempt, status }) => [attempt, status])).toEqual(
    [1, 2, 3, 4].map((attempt) => [attempt, 'failed']),
  );
});

it('given up so, it keeps no body of before history was switched off, though it is on again', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/off-and-on'));
  const [claimed] = await office.store(0).claim(1, ONE, new Places().busy);
  if (!claimed) throw new Error('nothing was due');
  expect(await office.store(0).keepBody(claimed.delivery, '{"extracted_text_preview":"of before"}')).toBe('kept');
  await office.pool.query('update account set history = true, history_off_at = now() where id = $1', [accountId]);
  await office.store(0).claim(1, { ...ONE, attempts: 1 }, new Places().busy);
  expect(await office.state(id)).toMatchObject({ status: 'failed', body: null });
});

it('a process that dies, or is slow, before anything is sent costs no attempt', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/early'));
  for (const _life of [1, 2, 3, 4, 5, 6]) expect(await life(office, { sends: false })).toBe(true);
  expect(await office.state(id)).toMatchObject({ status: 'pending', attempt: 0 });
  office.startJob();
  expect(await office.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: 200, error: null }]);
});

it('is given up, with nothing sent, when ten processes in a row die of making its body', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/poison'));
  const die = async () => {
    for (let lives = 0; lives < 10; lives++) expect(await life(office, { sends: false })).toBe(true);
    expect(await life(office, { sends: false })).toBe(false);
  };
  await die();
  expect(await office.state(id)).toEqual({ status: 'failed', attempt: 0, body: null });
  const nothing = {
    attempt: 0,
    status: 'failed',
    responseCode: null,
    error: expect.stringMatching(/Nothing was sent/),
  };
  expect(await office.attempts(id)).toEqual([nothing]);
  // Sent again by hand it is tried as often again.
  await office.log.redeliver(accountId, id);
  await die();
  expect(await office.attempts(id)).toEqual([nothing, nothing]);
  await office.log.redeliver(accountId, id);
  office.startJob();
  expect((await office.ended(id)).at(-1)).toMatchObject({ attempt: 1, status: 'delivered' });
});

it('deaths before anything is sent are not held against an attempt that comes after them', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/both'));
  for (let lives = 0; lives < 9; lives++) await life(office, { sends: false });
  await life(office, { sends: true });
  expect(await life(office, { sends: true })).toBe(true);
  expect(await office.attempts(id)).toMatchObject([{ attempt: 1, status: 'failed' }]);
  expect(await office.state(id)).toMatchObject({ status: 'pending', attempt: 1 });
});

it('of a request that was deleted, whose body is not kept, what was sent counts, too', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/discarded'));
  await office.pool.query('update webhook_delivery set is_discarded = true where id = $1', [id]);
  await life(office, { sends: true });
  await life(office, { sends: false });
  expect(await office.attempts(id)).toMatchObject([{ attempt: 1, status: 'failed' }]);
  await life(office, { sends: false });
  expect(await office.state(id)).toEqual({ status: 'pending', attempt: 1, body: null });
});

it('what a process of the version before has sent counts, though it does not count what is unsent', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/before'));
  await life(office, { sends: false });
  await life(office, { sends: false });
  // As that version claims, and keeps the body.
  await office.pool.query(`update webhook_delivery set fence = fence + 1, body = '{}' where id = $1`, [id]);
  await life(office, { sends: false });
  expect(await office.attempts(id)).toMatchObject([{ attempt: 1, status: 'failed' }]);
});

it('has the time of a lease for its sending, however long the making of its body took', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const id = await office.announce(accountId, receiver.at('/long-made'));
  const store = office.store(30_000);
  const [claimed] = await store.claim(1, ONE, new Places().busy);
  if (!claimed) throw new Error('nothing was due');
  await office.pool.query(`update webhook_delivery set next_attempt_at = now() + interval '1 second' where id = $1`, [
    id,
  ]);
  expect(await store.keepBody(claimed.delivery, '{}')).toBe('kept');
  expect((await office.lease(id)).dueInMs).toBeGreaterThan(20_000);
});

it('keeps counting where a process that died had stopped', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const first = office.startJob({ retryAfterMs: [1, 1_000_000] });
  const id = await office.announce(accountId, receiver.at('/two-lives', { status: 500 }));
  await until('two attempts failed', async () => (await office.attempts(id)).length === 2);
  await first[Symbol.asyncDispose]();
  await office.pool.query('update webhook_delivery set next_attempt_at = now() where id = $1', [id]);
  office.startJob();
  expect((await office.ended(id)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
});

it('two jobs side by side send each delivery once', async () => {
  const office = await open();
  const { accountId } = await office.account();
  // A receiver that is late on a busy machine would be asked again, rightly.
  for (const _job of [1, 2]) office.startJob({ timeoutMs: 60_000 });
  const url = receiver.at('/shared');
  const ids = await Promise.all(Array.from({ length: 100 }, () => office.announce(accountId, url)));
  for (const id of ids) await office.ended(id);
  const received = receiver.received('/shared').map(({ headers }) => String(headers['webhook-id']));
  expect(received.toSorted()).toEqual(ids.toSorted());
});

it('hands back what is under way when the process stops, and the next one sends it', async () => {
  const office = await open();
  const { accountId } = await office.account();
  const stopping = office.startJob({ timeoutMs: 600_000 });
  const url = receiver.at('/stops', (nth) => (nth === 1 ? 'hang' : { status: 200 }));
  const id = await office.announce(accountId, url);
  await receiver.gets('/stops');
  await stopping[Symbol.asyncDispose]();
  expect(await office.state(id)).toMatchObject({ status: 'pending', attempt: 0 });
  office.startJob();
  expect((await office.ended(id)).at(-1)).toEqual({ attempt: 1, status: 'delivered', responseCode: 200, error: null });
  const bodies = receiver.received('/stops').map(({ bytes }) => bytes.toString());
  expect(bodies[1]).toBe(bodies[0]);
});
