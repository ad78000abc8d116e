import { beforeEach, expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

it.each<[string, Record<string, unknown>]>([
  ['another engine', { engine: 'other' }],
  ['another page_count', { page_count: 2 }],
  ['another output_format', { output_format: 'text' }],
  ['another language', { settings: { language: 'ja' } }],
  ['a resolution', { settings: { dpi: 144 } }],
  ['a page_range', { settings: { page_range: '1' } }],
  ['table detection', { options: { detect_tables: true } }],
  ['native settings', { native_settings: { temperature: 1 } }],
  ['a fallback', { fallback: 'similar' }],
  ['another document', (await pictureBody()) as Record<string, unknown>],
])('the same key with %s', async (_name, change) => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const body = await pictureBody();
  expect((await caller.ocr(body, { key: 'taken' })).status).toBe(200);
  expectError(await caller.ocr({ ...body, ...change }, { key: 'taken' }), 409, 'idempotency_key_reused');
  expect(house.engines.calls('reader').length + house.engines.calls('other').length).toBe(1);
  await expectBalance(house, accountId, 0.99);
});

it('while the first request still runs', async () => {
  const { caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('first');
  });
  const first = caller.ocr(await pictureBody(), { key: 'taken' });
  await house.engines.called('reader');
  expectError(await caller.ocr(await pictureBody(), { key: 'taken' }), 409, 'idempotency_key_reused');
  gate.open();
  expect((await first).status).toBe(200);
});

it('when two different requests come at the same moment, one runs', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const bodies = await Promise.all(Array.from({ length: 10 }, () => pictureBody()));
  const replies = await Promise.all(bodies.map((body) => caller.ocr(body, { key: 'contested' })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const reply of replies) if (reply.status !== 200) expectError(reply, 409, 'idempotency_key_reused');
  expect(house.engines.calls('reader')).toHaveLength(1);
  await expectBalance(house, accountId, 0.99);
});

it('leaves the first outcome to replay', async () => {
  const { caller } = await house.account();
  const body = await pictureBody();
  const first = await caller.ocr(body, { key: 'taken' });
  await caller.ocr({ ...body, page_count: 2 }, { key: 'taken' });
  expect((await caller.ocr(body, { key: 'taken' })).body.request_id).toBe(first.body.request_id);
});

it('is no matter between accounts: keys belong to the account', async () => {
  const first = await house.account();
  const second = await house.account();
  const [one, two] = [await pictureBody(), await pictureBody()];
  const here = await first.caller.ocr(one, { key: 'shared' });
  const there = await second.caller.ocr(two, { key: 'shared' });
  expect([here.status, there.status]).toEqual([200, 200]);
  expect(there.body.request_id).not.toBe(here.body.request_id);
});

it('is one matter for all keys of an account', async () => {
  const { accountId, caller } = await house.account();
  const { api_key } = await house.admin.createKey({ accountId });
  await caller.ocr(await pictureBody(), { key: 'taken' });
  const reply = await house.callerWith(api_key).ocr(await pictureBody(), { key: 'taken' });
  expectError(reply, 409, 'idempotency_key_reused');
});
