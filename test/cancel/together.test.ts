import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OcrAnswer } from '../house/answers.ts';
import { fails, refuses, says, silence } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { AT_72_DPI, pageOf, pdfOfPages } from '../house/page-sizes.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';
import { cancel, openRequest } from './cancel-request.ts';

const scored = (hard_score: number) => ({ benchmark: { hard_score, easy_score: 99, measured_at: '2026-11-01' } });
const house = await openHouse({
  engines: {
    // One place each: who is called for a page has answered for those before it.
    reader: { ...scored(80), concurrency: 1 },
    spare: { ...scored(82), price_per_page_usd: 0.008, provider_cost_per_page_usd: 0.003 },
    dear: { provider_cost_per_page_usd: 0.05, concurrency: 1 },
    narrow: { concurrency: 1 },
  },
  env: LOOPBACK_ALLOWED,
});
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

const CANCELLED = 'The request was cancelled.';

describe('with an automatic retry', () => {
  const similar = { fallback: 'similar', mode: 'async' };

  it.each([
    ['nothing was read', () => refuses('No.'), { status: 'failed', outcome: 'refunded', cost: 0.008 }],
    ['a page was read', () => says('the first'), { status: 'partial', outcome: 'partial', cost: 0.014 }],
  ])('none is begun once it is cancelled: %s', async (_case, first, end) => {
    const account = await house.account();
    // A page that another engine might read, one of the case, and one that is under way.
    house.engines.script('reader', async (call) => {
      const page = await pageOf(call);
      if (page === 3) return silence;
      return page === 2 ? fails(503, 'later') : first();
    });
    const body = ocrBody('reader', pdfOfPages(3), { ...AT_72_DPI, ...similar, page_count: 3 });
    const { request_id: id } = (await account.caller.ocr(body)).body;
    await house.engines.called('reader', 3);
    const ended = await cancel(account, id);
    expect(ended).toMatchObject({ ...end, attempts: [{ engine: 'reader' }] });
    expect(ended.attempts).toHaveLength(1);
    expect(ended.cancelledAt).not.toBeNull();
    expect(ended.providerError).not.toContain('retry');
    expect(house.engines.calls('spare')).toEqual([]);
    await expectBalance(house, account.accountId, Math.round((10 - end.cost) * 1e9) / 1e9);
  });

  it('in the second attempt: both are charged at their providers’ cost, and it counts as cancelled', async () => {
    const account = await house.account();
    house.engines.script('reader', refuses('No.'));
    house.engines.script('spare', silence);
    const { request_id: id } = (await account.caller.ocr(await pictureBody('reader', similar))).body;
    const [call] = await house.engines.called('spare');
    const ended = await cancel(account, id);
    expect(ended).toMatchObject({ status: 'failed', outcome: 'refunded', cost: 0.007 });
    expect(ended.cancelledAt).not.toBeNull();
    expect(ended.providerError).toContain(CANCELLED);
    expect(ended.attempts).toMatchObject([
      { engine: 'reader', outcome: 'refused', billing: 'settled' },
      { engine: 'spare', outcome: 'cancelled', billing: 'settled' },
    ]);
    await until('the second call is closed', () => call?.aborted);
    await expectBalance(house, account.accountId, 9.993);
  });
});

it('tells who waits the same times as everybody afterwards', async () => {
  const account = await house.account({ credit: 1 });
  await house.admin.setRetention(account.accountId, 30);
  house.engines.script('dear', silence);
  const body = await pictureBody('dear');
  const waiting = account.caller.ocr(body, { key: 'k' });
  await house.engines.called('dear');
  await cancel(account, await openRequest(house.databaseUrl, account));
  const told = (await waiting).body;
  expect(told).toMatchObject({ cancelled_at: expect.any(String), cancel_requested_at: expect.any(String) });
  expect((await account.caller.ocr(body, { key: 'k' })).body).toEqual(told);
  house.engines.script('dear', says('read'));
  const read = (await account.caller.ocr<OcrAnswer & { retained_until: string }>(body, { key: 'another' })).body;
  const seen = (await account.caller.get<{ retained_until: string }>(`/v1/ocr/${read.request_id}`)).body;
  expect([read.retained_until, seen.retained_until]).toEqual([expect.any(String), read.retained_until]);
});

it('never charges more than max_cost_usd, whatever its providers bill', async () => {
  const account = await house.account();
  house.engines.script('dear', async (call) => ((await pageOf(call)) === 1 ? says('the first') : silence));
  const capped = { max_cost_usd: 0.03, mode: 'async', page_count: 2 };
  const { request_id: id } = (await account.caller.ocr(ocrBody('dear', pdfOfPages(2), { ...AT_72_DPI, ...capped })))
    .body;
  await house.engines.called('dear', 2);
  expect(await cancel(account, id)).toMatchObject({ status: 'partial', outcome: 'partial', cost: 0.03 });
  await expectBalance(house, account.accountId, 9.97);
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});

it('out of the queue: who waits for it is refunded, and its webhook tells of it', async () => {
  const account = await house.account();
  const other = await house.account();
  house.engines.script('narrow', silence);
  const { request_id: atWork } = (await other.caller.ocr(await pictureBody('narrow', { mode: 'async' }))).body;
  await house.engines.called('narrow');
  const waiting = account.caller.ocr(await pictureBody('narrow'));
  const queued = `select id from ocr_request where account_id = '${account.accountId}' and status = 'queued'`;
  await until('it waits', async () => (await readSql(house.databaseUrl, queued)).length === 1);
  const ended = await cancel(account, await openRequest(house.databaseUrl, account));
  expect(ended).toMatchObject({ status: 'rejected', outcome: 'refunded', cost: 0, attempts: [] });
  const reply = await waiting;
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({
    request_id: ended.id,
    status: 'refunded',
    cost_debited: 0,
    provider_error: CANCELLED,
    cancelled_at: ended.cancelledAt,
  });
  const hook = { mode: 'async', webhook_url: receiver.at('/from-queue') };
  const { request_id: id } = (await account.caller.ocr(await pictureBody('narrow', hook))).body;
  const unread = await cancel(account, id);
  const [told] = await receiver.gets('/from-queue');
  expect(JSON.parse(told?.bytes.toString() ?? '')).toMatchObject({
    request_id: id,
    status: 'refunded',
    cancelled_at: unread.cancelledAt,
  });
  await cancel(other, atWork);
  expect(house.engines.calls('narrow')).toHaveLength(1);
  await expectBalance(house, account.accountId, 10);
});
