import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../server/src/accounts/caller.ts';
import type { ListAnswer } from '../house/answers.ts';
import { expectError } from '../house/expect-error.ts';
import { PostOffice } from '../house/post-office.ts';
import { until } from '../house/until.ts';
import { verified, WebhookReceiver } from '../house/webhook-receiver.ts';
import { loggedIn, WebhookRoutes } from '../house/webhook-routes.ts';

interface WebhookAnswer {
  id: string;
  url: string;
  label?: string;
  secret: string;
  events: string[];
  is_active: boolean;
  created_at: string;
}

interface DeliveryAnswer {
  id: string;
  status: string;
  attempt: number;
  payload: Record<string, unknown> | null;
}

const URL = 'https://hooks.example.com/ocr';
const UNKNOWN = 'wh_00000000000000000000000000';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
office.startJob();
let who: Caller | null = null;
let accountId: string;
const routes = await WebhookRoutes.open(office, () => who);

beforeEach(async () => {
  ({ accountId } = await office.account());
  who = loggedIn(accountId);
});
afterAll(async () => {
  await routes[Symbol.asyncDispose]();
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function create(body: unknown = { url: URL }): Promise<WebhookAnswer> {
  const reply = await routes.send<WebhookAnswer>('POST', '/api/webhooks', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function deliveries(id: string): Promise<DeliveryAnswer[]> {
  const { status, body } = await routes.send<ListAnswer<DeliveryAnswer>>('GET', `/api/webhooks/${id}/deliveries`);
  expect({ status, object: body.object }).toEqual({ status: 200, object: 'list' });
  return body.data;
}

describe('POST /api/webhooks', () => {
  it('registers a URL and shows its secret this once', async () => {
    const created = await create({ url: URL, label: 'Invoices', events: ['ocr.failed'] });
    expect(created).toEqual({
      id: expect.stringMatching(/^wh_[0-9A-HJKMNP-TV-Z]{26}$/),
      url: URL,
      label: 'Invoices',
      secret: expect.stringMatching(/^whsec_/),
      events: ['ocr.failed'],
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const { secret: _shownOnce, ...kept } = created;
    expect((await routes.send('GET', '/api/webhooks')).body).toEqual({ object: 'list', data: [kept] });
  });

  it('receives everything and has no label unless told otherwise', async () => {
    const created = await create();
    expect(created.events).toEqual(['ocr.completed']);
    expect(created).not.toHaveProperty('label');
  });

  it.each([
    [{}, /url/],
    [{ url: 7 }, /url/],
    [{ url: '' }, /url/],
    [{ url: 'no url' }, /url/],
    [{ url: 'ftp://example.com/x' }, /url/],
    [{ url: 'https://user:pass@example.com/' }, /url/],
    [{ url: 'http://10.0.0.1/x' }, /url/],
    [{ url: 'http://169.254.169.254/latest' }, /url/],
    [{ url: 'http://[fd00::1]/' }, /url/],
    [{ url: `https://example.com/${'x'.repeat(8192)}` }, /url/],
    [{ url: URL, events: [] }, /events/],
    [{ url: URL, events: ['ocr.started'] }, /events/],
    [{ url: URL, events: ['ocr.failed', 'ocr.failed'] }, /events/],
    [{ url: URL, events: 'ocr.failed' }, /events/],
    [{ url: URL, label: 7 }, /label/],
    [{ url: URL, label: 'x'.repeat(201) }, /label/],
    [{ url: URL, label: 'a\u0000b' }, /label/],
  ])('refuses %j', async (body, message) => {
    expectError(await routes.send('POST', '/api/webhooks', body), 400, 'invalid_request', message);
    expect((await routes.send<ListAnswer<unknown>>('GET', '/api/webhooks')).body.data).toEqual([]);
  });

  it('takes ten of an account and refuses the eleventh, also when all come at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, n) => routes.send('POST', '/api/webhooks', { url: `${URL}/${n}` })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expectError(await routes.send('POST', '/api/webhooks', { url: URL }), 400, 'invalid_request', /10/);
    const { data } = (await routes.send<ListAnswer<WebhookAnswer>>('GET', '/api/webhooks')).body;
    expect(data).toHaveLength(10);
    expect((await routes.send('DELETE', `/api/webhooks/${data[0]?.id}`)).status).toBe(204);
    await create();
  });
});

describe('PATCH /api/webhooks/{id}', () => {
  it('changes what is given and leaves the rest', async () => {
    const { secret: _shownOnce, ...created } = await create({ url: URL, label: 'Invoices' });
    const path = `/api/webhooks/${created.id}`;
    expect((await routes.send('PATCH', path, {})).body).toEqual(created);
    const stopped = await routes.send('PATCH', path, { is_active: false });
    expect([stopped.status, stopped.body]).toEqual([200, { ...created, is_active: false }]);
    const change = { url: `${URL}/2`, label: 'Bills', events: ['ocr.failed', 'ocr.completed'], is_active: true };
    const { body } = await routes.send<WebhookAnswer>('PATCH', path, change);
    expect(body).toMatchObject({ id: created.id, url: `${URL}/2`, label: 'Bills', is_active: true });
    expect(body.events.toSorted()).toEqual(['ocr.completed', 'ocr.failed']);
  });

  it('guards the new address as it guards the first', async () => {
    const { id } = await create();
    for (const url of ['http://192.168.0.1/', 'file:///etc/passwd', 'http://metadata@169.254.169.254/']) {
      expectError(await routes.send('PATCH', `/api/webhooks/${id}`, { url }), 400, 'invalid_request', /url/);
    }
    expectError(await routes.send('PATCH', `/api/webhooks/${id}`, { events: [] }), 400, 'invalid_request', /events/);
    expectError(
      await routes.send('PATCH', `/api/webhooks/${id}`, { is_active: 'no' }),
      400,
      'invalid_request',
      /is_active/,
    );
  });
});

describe('DELETE /api/webhooks/{id}', () => {
  it('removes the registration and its log, and the account signs from then on', async () => {
    const { secret } = await office.admin.showAccount(accountId).then((shown) => ({ secret: shown.signing_secret }));
    const created = await create({ url: receiver.at('/removed') });
    await office.ended(await office.announce(accountId, created.url));
    expect(await deliveries(created.id)).toHaveLength(1);
    const reply = await routes.send('DELETE', `/api/webhooks/${created.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expectError(await routes.send('GET', `/api/webhooks/${created.id}/deliveries`), 404, 'not_found');
    expect(await office.log.ofAccount(accountId)).toEqual([]);
    await office.ended(await office.announce(accountId, created.url));
    const [before, after] = receiver.received('/removed');
    expect(before && verified(before, created.secret)).toBeDefined();
    expect(after && verified(after, secret)).toBeDefined();
  });
});

describe('POST /api/webhooks/{id}/test', () => {
  it('sends a signed ping, and records it', async () => {
    const created = await create({ url: receiver.at('/ping') });
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
    await office.ended(reply.body.id);
    expect(await deliveries(created.id)).toEqual([
      expect.objectContaining({ id: reply.body.id, status: 'delivered', attempt: 1, response_code: 200, payload }),
    ]);
  });

  it('sends nothing while the registration is not active, and logs that', async () => {
    const created = await create({ url: receiver.at('/asleep') });
    await routes.send('PATCH', `/api/webhooks/${created.id}`, { is_active: false });
    const { body } = await routes.send<DeliveryAnswer>('POST', `/api/webhooks/${created.id}/test`);
    await office.ended(body.id);
    expect(await deliveries(created.id)).toEqual([expect.objectContaining({ status: 'skipped', attempt: 0 })]);
    expect(receiver.received('/asleep')).toEqual([]);
  });
});

describe('GET /api/webhooks/{id}/deliveries', () => {
  it('has every attempt, newest first', async () => {
    const created = await create({ url: receiver.at('/second', (nth) => ({ status: nth === 1 ? 500 : 204 })) });
    const id = await office.announce(accountId, created.url);
    await office.ended(id);
    const [received] = receiver.received('/second');
    const entry = {
      id,
      webhook_id: created.id,
      request_id: id.replace('whd_', 'ocr_'),
      event: 'ocr.completed',
      latency_ms: expect.any(Number),
      payload: JSON.parse(received?.bytes.toString() ?? ''),
      created_at: expect.stringMatching(/Z$/),
    };
    expect(await deliveries(created.id)).toEqual([
      { ...entry, status: 'delivered', attempt: 2, response_code: 204, error: null },
      { ...entry, status: 'failed', attempt: 1, response_code: 500, error: expect.stringMatching(/500/) },
    ]);
  });

  it('shows what is still to be sent as pending, without a payload', async () => {
    const created = await create({ url: URL });
    await office.pool.query(
      `insert into webhook_delivery (id, account_id, webhook_id, request_id, url, origin, event, is_failure, status, next_attempt_at)
       values ('whd_later', $1, $2, 'ocr_later', $3, 'later', 'ocr.completed', false, 'pending', now() + interval '1 hour')`,
      [accountId, created.id, URL],
    );
    expect(await deliveries(created.id)).toEqual([
      expect.objectContaining({ id: 'whd_later', status: 'pending', attempt: 0, payload: null, latency_ms: null }),
    ]);
  });

  it('is the latest hundred', async () => {
    const created = await create({ url: receiver.at('/many') });
    const ids = await Promise.all(Array.from({ length: 105 }, () => office.announce(accountId, created.url)));
    for (const id of ids) await office.ended(id);
    const times = (await deliveries(created.id)).map((entry) => (entry as unknown as WebhookAnswer).created_at);
    expect(times).toHaveLength(100);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('shows what was skipped because only failures are wanted, and sends failures', async () => {
    const created = await create({ url: receiver.at('/failures'), events: ['ocr.failed'] });
    await office.ended(await office.announce(accountId, created.url, 'succeeded'));
    for (const outcome of ['partial', 'refunded', 'timeout']) {
      await office.ended(await office.announce(accountId, created.url, outcome));
    }
    expect((await deliveries(created.id)).map(({ status }) => status)).toEqual([
      ...['delivered', 'delivered', 'delivered'],
      'skipped',
    ]);
    expect(receiver.received('/failures')).toHaveLength(3);
  });
});

it('signs with both secrets while two registrations share a URL', async () => {
  const url = receiver.at('/rotating');
  const [old, fresh] = [await create({ url }), await create({ url })];
  await office.ended(await office.announce(accountId, url));
  const [received] = receiver.received('/rotating');
  for (const { secret } of [old, fresh]) expect(received && verified(received, secret)).toBeDefined();
});

it('stops in the middle of its retries when it is switched off', async () => {
  const created = await create({ url: receiver.at('/switched') });
  const id = await office.announce(
    accountId,
    receiver.at('/switched', async () => {
      await office.registrations.update(accountId, created.id, { isActive: false });
      return { status: 500 };
    }),
  );
  await until('it is skipped', async () => (await office.state(id)).status === 'skipped');
  expect(receiver.received('/switched')).toHaveLength(1);
});

describe('what belongs to somebody else', () => {
  const calls = [
    ['PATCH', '', { label: 'mine' }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
    ['GET', '/deliveries', undefined],
  ] as const;

  it.each(calls)('%s …%s is 404 for another account', async (method, rest, body) => {
    const { id } = await create();
    who = loggedIn((await office.account()).accountId);
    expectError(await routes.send(method, `/api/webhooks/${id}${rest}`, body), 404, 'not_found');
    expectError(await routes.send(method, `/api/webhooks/${UNKNOWN}${rest}`, body), 404, 'not_found');
    who = loggedIn(accountId);
    expect((await routes.send<ListAnswer<unknown>>('GET', '/api/webhooks')).body.data).toHaveLength(1);
  });

  it.each([...calls, ['GET', null, undefined], ['POST', null, { url: URL }]] as const)(
    '%s %s is 401 without a login, and for an API key',
    async (method, rest, body) => {
      const { id } = await create();
      const path = rest === null ? '/api/webhooks' : `/api/webhooks/${id}${rest}`;
      for (const stranger of [null, loggedIn(accountId, 'key')]) {
        who = stranger;
        expectError(await routes.send(method, path, body), 401, 'authentication_error');
      }
    },
  );
});
