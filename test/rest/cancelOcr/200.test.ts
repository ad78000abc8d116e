import { afterAll, beforeEach, expect, it } from 'vitest';
import { openRequest } from '../../cancel/cancel-request.ts';
import type { OcrAnswer } from '../../house/answers.ts';
import { says, silence } from '../../house/engine-answers.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages } from '../../house/page-sizes.ts';
import { makePdf } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { standingTransaction } from '../../house/standing-transaction.ts';
import { until } from '../../house/until.ts';
import { WebhookReceiver } from '../../house/webhook-receiver.ts';

const house = await openHouse({
  engines: { reader: { max_pages_per_request: 50, concurrency: 4 } },
  env: LOOPBACK_ALLOWED,
});
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

type Answer = OcrAnswer & { cancel_requested_at?: string; cancelled_at?: string };
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

it('a request at work, in the words of reading it, told by its webhook', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', (_call, nth) => (nth <= 2 ? says('a page') : silence)); // whichever of them come first
  const hook = { mode: 'async', webhook_url: receiver.at('/told') };
  const sent = await caller.ocr(ocrBody('reader', pdfOfPages(4), { ...AT_72_DPI, ...hook, page_count: 4 }));
  expect(sent.body).not.toHaveProperty('cancel_requested_at');
  await house.engines.called('reader', 4);
  const path = `/v1/ocr/${sent.body.request_id}`;
  const cancelled = await caller.call<Answer>('POST', `${path}/cancel`);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toMatchObject({
    request_id: sent.body.request_id,
    status: 'partial',
    extracted_text: null,
    extracted_text_preview: 'a page\n\n---\n\na page',
    cost_debited: 0.028,
    cancel_requested_at: expect.stringMatching(ISO),
    cancelled_at: expect.stringMatching(ISO),
  });
  expect((await caller.get(path)).body).toEqual(cancelled.body);
  expect((await caller.call('POST', `${path}/cancel`)).body).toEqual(cancelled.body);
  const [told] = await receiver.gets('/told');
  expect(JSON.parse(told?.bytes.toString() ?? '')).toMatchObject({
    status: 'partial',
    cancelled_at: cancelled.body.cancelled_at,
  });
});

it('a job, whose finished pages are kept', async () => {
  const { caller } = await house.account();
  const statistics = async () => {
    const { body } = await caller.get<{ total_requests: number; total_pages: number }>('/v1/engines/reader/stats');
    return { requests: body.total_requests ?? 0, pages: body.total_pages ?? 0 };
  };
  const before = await statistics();
  house.engines.script('reader', (_call, nth) => (nth <= 5 ? says(`text ${nth}`) : silence));
  const jpeg = await pictureAs('jpeg');
  const scans = makePdf(
    Array.from({ length: 22 }, () => ({ size: [90, 80], picture: { jpeg, width: 64, height: 48 } })),
  );
  const sent = await caller.ocr(ocrBody('reader', scans, { ...AT_72_DPI, mode: 'async', page_count: 22 }));
  await house.engines.called('reader', 9);
  const { body } = await caller.call<Answer>('POST', `/v1/ocr/${sent.body.request_id}/cancel`);
  expect(body).toMatchObject({ status: 'partial', cancelled_at: expect.stringMatching(ISO) });
  const job = await caller.get<Answer & { pages_done: number; pages_failed: { code: string }[] }>(
    sent.body.poll_url ?? '',
  );
  expect(job.body).toMatchObject({ status: 'partial', pages_done: 5, cancelled_at: body.cancelled_at });
  expect(job.body.pages_failed.map(({ code }) => code)).toEqual(Array.from({ length: 17 }, () => 'cancelled'));
  // The engine has read them, whatever became of the job.
  expect(await statistics()).toEqual({ requests: before.requests + 1, pages: before.pages + 5 });
  // Four calls were under way; the other pages were never sent.
  expect(body.cost_debited).toBeCloseTo(5 * 0.01 + 4 * 0.004, 9);
  // What was said of each page is deleted with the texts; that it was cancelled is not.
  for (let i = 0; i < 2; i++) expect((await caller.call('DELETE', `/v1/ocr/${sent.body.request_id}`)).status).toBe(204);
  const left = await caller.get<{ pages_failed: { code: string }[] }>(sent.body.poll_url ?? '');
  expect(left.status).toBe(200);
  expect(left.body.pages_failed.map(({ code }) => code)).toEqual(Array.from({ length: 17 }, () => 'cancelled'));
});

it('a job says that it was asked to while its end is still to come', async () => {
  const { accountId, caller } = await house.account();
  house.engines.script('reader', silence);
  const jpeg = await pictureAs('jpeg');
  const scan = { size: [90, 80], picture: { jpeg, width: 64, height: 48 } } as const;
  const scans = makePdf(Array.from({ length: 22 }, () => scan));
  const sent = await caller.ocr(ocrBody('reader', scans, { ...AT_72_DPI, mode: 'async', page_count: 22 }));
  await house.engines.called('reader', 4);
  const job = async () => (await caller.get<Answer>(sent.body.poll_url ?? '')).body;
  expect(await job()).not.toHaveProperty('cancel_requested_at');
  const wallet = `select 1 from wallet where account_id = '${accountId}' for update`;
  const locked = await standingTransaction(house.databaseUrl, wallet); // no end without its money
  const cancelling = caller.call<Answer>('POST', `/v1/ocr/${sent.body.request_id}/cancel`);
  try {
    const asked = await until('the job says so', async () => {
      const body = await job();
      return body.cancel_requested_at !== undefined && body;
    });
    expect(asked).toMatchObject({ status: 'processing', cancel_requested_at: expect.stringMatching(ISO) });
    expect(asked).not.toHaveProperty('cancelled_at');
  } finally {
    await locked[Symbol.asyncDispose]();
  }
  const { cancel_requested_at } = (await cancelling).body;
  const ended = await until('it has ended', async () => {
    const body = await job();
    return body.status === 'failed' && body;
  });
  expect(ended).toMatchObject({ cancel_requested_at, cancelled_at: expect.stringMatching(ISO) });
});

it('a member of a batch; the others go on', async () => {
  const account = await house.account();
  house.engines.script('reader', silence);
  const items = [await pictureBody('reader')];
  const batch = account.caller.call<{ results: Answer[] }>('POST', '/v1/ocr/batch', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });
  await house.engines.called('reader');
  const id = await openRequest(house.databaseUrl, account);
  expect((await account.caller.call('POST', `/v1/ocr/${id}/cancel`)).status).toBe(200);
  expect((await batch).body.results).toMatchObject([
    { request_id: id, status: 'refunded', cost_debited: 0.004, cancelled_at: expect.stringMatching(ISO) },
  ]);
});

it('what has ended by itself, as it is, and without text where none is retained', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  const path = `/v1/ocr/${body.request_id}/cancel`;
  const reply = await caller.call<Answer>('POST', path);
  expect(reply.body).toMatchObject({ status: 'succeeded', extracted_text: 'read by reader' });
  expect(reply.body).not.toHaveProperty('cancelled_at');
  const forgetful = await house.account({ history: false });
  const unkept = await forgetful.caller.ocr(await pictureBody());
  const answer = await forgetful.caller.call<Answer>('POST', `/v1/ocr/${unkept.body.request_id}/cancel`);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ status: 'succeeded', extracted_text: null });
});

it('never the pages’ texts for a key that may not read', async () => {
  const { accountId, caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody('reader', { include: ['pages'] }));
  expect(body.page_results?.[0]?.text).toBe('read by reader');
  const { api_key } = await house.admin.createKey({ accountId, scopes: ['ocr:write'] });
  const reply = await house.callerWith(api_key).call<Answer>('POST', `/v1/ocr/${body.request_id}/cancel`);
  expect(reply.status).toBe(200);
  expect(reply.text).not.toContain('read by reader');
});

it('leaves no work behind: a hundred at once, waiting and at work', async () => {
  const account = await house.account();
  const { caller } = account;
  house.engines.script('reader', silence);
  const bodies = await Promise.all(Array.from({ length: 100 }, () => pictureBody('reader', { mode: 'async' })));
  const ids = (await Promise.all(bodies.map((body) => caller.ocr(body)))).map(({ body }) => body.request_id);
  const replies = await Promise.all(ids.map((id) => caller.call<Answer>('POST', `/v1/ocr/${id}/cancel`)));
  expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
  await until('every call is closed', () => house.engines.calls('reader').every(({ aborted }) => aborted));
  const { held_usd } = await house.admin.showAccount(account.accountId);
  expect(held_usd).toBe(0);
  house.engines.script('reader', says('free again'));
  expect((await caller.ocr(await pictureBody('reader'))).body.status).toBe('succeeded');
});
