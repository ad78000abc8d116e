import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verified, WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { PostOffice } from './post-office.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
let accountId: string;
let secret: string;

beforeAll(async () => {
  ({ accountId, secret } = await office.account());
  office.startJob();
});
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

describe('a delivery', () => {
  it.each([200, 201, 204, 299])('has arrived with any 2xx (%i), and is sent once', async (status) => {
    const id = await office.announce(accountId, receiver.at(`/ok-${status}`, { status }));
    expect(await office.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: status, error: null }]);
    expect(receiver.received(`/ok-${status}`)).toHaveLength(1);
  });

  it('is a signed POST of JSON that names its request', async () => {
    const id = await office.announce(accountId, receiver.at('/headers?kept=1'));
    const [received] = await receiver.gets('/headers?kept=1');
    if (!received) throw new Error('nothing came');
    const { headers } = received;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'x-service-request-id': id.replace('whd_', 'ocr_'),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'user-agent': expect.stringMatching(/\S/),
    });
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    expect(verified(received, secret)).toMatchObject({ request_id: id.replace('whd_', 'ocr_') });
    expect(() => verified({ ...received, bytes: Buffer.from('{}') }, secret)).toThrow();
  });

  it('is tried four times in all, each time the same id and the same bytes, freshly signed', async () => {
    const id = await office.announce(
      accountId,
      receiver.at('/late', (nth) => ({ status: nth < 4 ? 500 : 200 })),
    );
    expect(await office.ended(id)).toEqual([
      { attempt: 1, status: 'failed', responseCode: 500, error: 'The receiver answered 500.' },
      { attempt: 2, status: 'failed', responseCode: 500, error: 'The receiver answered 500.' },
      { attempt: 3, status: 'failed', responseCode: 500, error: 'The receiver answered 500.' },
      { attempt: 4, status: 'delivered', responseCode: 200, error: null },
    ]);
    const received = receiver.received('/late');
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(received.map(({ bytes }) => bytes.toString())).size).toBe(1);
    for (const each of received) verified(each, secret);
  });

  it('waits longer before each retry, and never less than it should', async () => {
    const id = await office.announce(accountId, receiver.at('/pauses', { status: 503 }));
    await office.ended(id);
    const times = receiver.received('/pauses').map(({ at }) => at);
    const pauses = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    expect(pauses).toHaveLength(3);
    for (const [n, least] of [20, 40, 60].entries()) expect(pauses[n]).toBeGreaterThanOrEqual(least - 2);
  });

  it.each([400, 404, 410, 429, 500])('has failed after four answers of %i', async (status) => {
    const path = `/never-${status}`;
    const id = await office.announce(accountId, receiver.at(path, { status, headers: { 'retry-after': '3600' } }));
    const log = await office.ended(id);
    expect(log.map(({ status: each, responseCode }) => [each, responseCode])).toEqual(
      Array(4).fill(['failed', status]),
    );
    expect(receiver.received(path)).toHaveLength(4);
    expect(await office.state(id)).toMatchObject({ status: 'failed', attempt: 4 });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i): it is a failure', async (status) => {
    const target = receiver.at(`/target-${status}`);
    const id = await office.announce(
      accountId,
      receiver.at(`/moved-${status}`, { status, headers: { location: target } }),
    );
    const log = await office.ended(id);
    expect(log.at(-1)).toMatchObject({
      status: 'failed',
      responseCode: status,
      error: expect.stringMatching(/redirect/i),
    });
    expect(receiver.received(`/target-${status}`)).toEqual([]);
  });

  it.each([
    ['hang', 'No answer within 1.5 seconds.'],
    ['drip', 'No answer within 1.5 seconds.'],
    ['reset', 'The connection failed.'],
  ] as const)('fails at a receiver that does this: %s', async (how, error) => {
    const id = await office.announce(
      accountId,
      receiver.at(`/${how}`, (nth) => (nth === 1 ? how : { status: 200 })),
    );
    expect(await office.ended(id)).toEqual([
      { attempt: 1, status: 'failed', responseCode: null, error },
      { attempt: 2, status: 'delivered', responseCode: 200, error: null },
    ]);
  });

  it('does not read an endless answer', async () => {
    const id = await office.announce(accountId, receiver.at('/endless', 'endless body'));
    expect(await office.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: 200, error: null }]);
  });

  it('says nothing in the log of what the receiver wrote', async () => {
    const id = await office.announce(accountId, receiver.at('/talks', { status: 500, body: 'internal-secret' }));
    const shown = [await office.ended(id), await office.log.ofAccount(accountId)];
    expect(inspect(shown, { depth: null })).not.toContain('internal-secret');
  });

  it('fails where nobody listens', async () => {
    const gone = await WebhookReceiver.start();
    const url = gone.at('/gone');
    await gone[Symbol.asyncDispose]();
    const id = await office.announce(accountId, url);
    expect(await office.ended(id)).toEqual(
      [1, 2, 3, 4].map((attempt) => ({
        attempt,
        status: 'failed',
        responseCode: null,
        error: 'The connection failed.',
      })),
    );
  });
});

it('is nothing for a request without a webhook_url', async () => {
  const id = await office.announce(accountId, null);
  expect(await office.state(id)).toBeUndefined();
});

describe('sending again by hand', () => {
  it('sends a failed delivery with the same id and bytes, from its first attempt', async () => {
    let healthy = false;
    const id = await office.announce(
      accountId,
      receiver.at('/again', () => ({ status: healthy ? 200 : 500 })),
    );
    await office.ended(id);
    healthy = true;
    expect(await office.log.redeliver(accountId, id)).toMatchObject({ id, status: 'pending', attempt: 0 });
    const log = await office.ended(id);
    expect(log).toHaveLength(5);
    expect(log.at(-1)).toEqual({ attempt: 1, status: 'delivered', responseCode: 200, error: null });
    const received = receiver.received('/again');
    expect(new Set(received.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(received.at(-1)?.headers['webhook-id']).toBe(id);
  });

  it('is for the account’s own deliveries only', async () => {
    const id = await office.announce(accountId, receiver.at('/mine'));
    await office.ended(id);
    const { accountId: another } = await office.account();
    await expect(office.log.redeliver(another, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(receiver.received('/mine')).toHaveLength(1);
  });
});
