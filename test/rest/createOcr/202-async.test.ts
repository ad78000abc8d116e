import { beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../house/caller.ts';
import { cutsShort, fails, refuses, says, silence } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

const ASYNC = { mode: 'async' };

function heldEngine(text: string) {
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says(text);
  });
  return gate;
}

/** Polls until the request is at its end. */
function ended(caller: Caller, id: string) {
  return until('the request ends', async () => {
    const reply = await caller.get(`/v1/ocr/${id}`);
    return reply.status === 200 && !['queued', 'processing'].includes(reply.body.status) && reply.body;
  });
}

it('answers at once that it is processing, with the place to ask', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = heldEngine('read later');
  const { status, headers, body } = await caller.ocr(await pictureBody('reader', ASYNC));
  expect(status).toBe(202);
  expect(body).toEqual({
    request_id: expect.stringMatching(/^ocr_/),
    status: 'processing',
    engine: 'reader',
    poll_url: `/v1/ocr/${body.request_id}`,
    extracted_text: null,
    pages_total: 1,
    cost_debited: 0,
  });
  expect(headers).toMatchObject({ location: body.poll_url, 'x-request-id': body.request_id });
  expect(headers).not.toHaveProperty('retry-after');
  expect((await caller.get(body.poll_url ?? '')).body).toMatchObject({ cost_debited: 0, poll_url: body.poll_url });
  gate.open();
  const result = await ended(caller, body.request_id);
  expect(result).toMatchObject({ status: 'succeeded', extracted_text: 'read later', pages: 1, cost_debited: 0.01 });
  expect(result).not.toHaveProperty('poll_url');
  await expectBalance(house, accountId, 0.99);
});

it('knows the pages of a PDF that came with the call', async () => {
  const { caller } = await house.account();
  const pdf = makePdf([{ text: 'one' }, { text: 'two' }]);
  const { body } = await caller.ocr(ocrBody('reader', pdf, ASYNC));
  expect(body.pages_total).toBe(2);
  await ended(caller, body.request_id);
});

it('replays as processing while it runs, and as its outcome afterwards', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = heldEngine('once');
  const body = await pictureBody('reader', ASYNC);
  const first = await caller.ocr(body, { key: 'k' });
  const again = await caller.ocr(body, { key: 'k' });
  expect(again.status).toBe(202);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toMatchObject({ status: 'processing', request_id: first.body.request_id });
  expect(again.body.poll_url).toBe(first.body.poll_url);
  gate.open();
  await ended(caller, first.body.request_id);
  const replay = await caller.ocr(body, { key: 'k' });
  expect(replay.status).toBe(200);
  expect(replay.body).toMatchObject({ status: 'succeeded', extracted_text: 'once', request_id: first.body.request_id });
  expect(house.engines.calls('reader')).toHaveLength(1);
  await expectBalance(house, accountId, 0.99);
});

const ENDS = [
  { name: 'a refusal', engine: 'reader', answer: refuses('No.'), get: 'failed', post: [202, 'refunded'], cost: 0.004 },
  { name: 'an error', engine: 'reader', answer: fails(500, 'down'), get: 'failed', post: [202, 'refunded'], cost: 0 },
  { name: 'a timeout', engine: 'brief', answer: silence, get: 'failed', post: [503, 'timeout'], cost: 0.004 },
  {
    name: 'a cut text',
    engine: 'reader',
    answer: cutsShort('half'),
    get: 'partial',
    post: [200, 'partial'],
    cost: 0.004,
  },
] as const;

it.each(ENDS)('shows $name as $get on GET and binds the key to it', async ({ engine, answer, get, post, cost }) => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script(engine, answer);
  const body = await pictureBody(engine, ASYNC);
  const { body: accepted } = await caller.ocr(body, { key: 'k' });
  const result = await ended(caller, accepted.request_id);
  expect(result).toMatchObject({ status: get, cost_debited: cost });
  const replay = await caller.ocr(body, { key: 'k' });
  expect([replay.status, replay.body.status]).toEqual(post);
  expect(replay.body.request_id).toBe(accepted.request_id);
  await expectBalance(house, accountId, 1 - cost);
});

it('is refused with a document that cannot be read, which is looked at before it is accepted', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const html = ocrBody('reader', Buffer.from('<html>'), ASYNC);
  expectError(await caller.ocr(html), 422, 'unprocessable_entity');
  await expectBalance(house, accountId, 1);
});

it('is refused with history off, before anything runs', async () => {
  const { accountId, caller } = await house.account({ credit: 1, history: false });
  expectError(await caller.ocr(await pictureBody('reader', ASYNC)), 400, 'history_disabled');
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, accountId, 1);
});

it('is refused when the balance does not reach', async () => {
  const { caller } = await house.account({ credit: 0.005 });
  expectError(await caller.ocr(await pictureBody('reader', ASYNC)), 402, 'insufficient_balance');
});

it('always answers JSON, and its text when it is repeated after the end', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', says('plain'));
  const body = await pictureBody('reader', { ...ASYNC, output_format: 'text' });
  const first = await caller.ocr(body, { key: 'k' });
  expect(first.headers['content-type']).toMatch(/json/);
  await ended(caller, first.body.request_id);
  expect((await caller.ocr(body, { key: 'k' })).text).toBe('plain');
});
