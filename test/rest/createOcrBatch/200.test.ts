import { beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../house/caller.ts';
import { cutsShort, fails, refuses, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

interface BatchAnswer {
  batch_id: string;
  results: {
    index: number;
    request_id?: string;
    status: string;
    cost_debited: number;
    extracted_text_preview?: string;
    warning?: string;
    error?: { code: string; message: string };
  }[];
  total_cost_debited: number;
}

function batch(caller: Caller, items: unknown, headers: Record<string, string> = {}) {
  const body = JSON.stringify(items === undefined ? {} : { items });
  return caller.call<BatchAnswer>('POST', '/v1/ocr/batch', {
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

it('runs each item on its own engine and sums up', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', says('first'));
  house.engines.script('other', says('second'));
  const { status, body } = await batch(caller, [await pictureBody(), await pictureBody('other')]);
  expect(status).toBe(200);
  expect(body).toEqual({
    batch_id: expect.stringMatching(/^bat_[0-9A-HJKMNP-TV-Z]{26}$/),
    results: [
      expect.objectContaining({ index: 0, status: 'succeeded', engine: 'reader', extracted_text: 'first', pages: 1 }),
      expect.objectContaining({ index: 1, status: 'succeeded', engine: 'other', cost_debited: 0.02 }),
    ],
    total_cost_debited: 0.03,
  });
  await expectBalance(house, accountId, 0.97);
});

it('an item above its own max_cost_usd is rejected, and its neighbours run', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const priced = async (max_cost_usd: number) => ({ ...(await pictureBody('other')), max_cost_usd });
  const { body } = await batch(caller, [await priced(0.019), await priced(0.02), await priced(0)]);
  expect(body.results.map((item) => [item.status, item.error?.code ?? item.cost_debited])).toEqual([
    ['rejected', 'budget_exceeded'],
    ['succeeded', 0.02],
    ['rejected', 'invalid_request'],
  ]);
  await expectBalance(house, accountId, 0.98);
});

it('rejects what would be an error alone, item by item', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', says('fine'));
  const sound = await pictureBody();
  const { status, body } = await batch(caller, [
    { ...sound, engine: 'raeder' },
    sound,
    { engine: 'reader' },
    7,
    { ...sound, input: { type: 'file', data_base64: 'AAAA' } },
    { ...sound, input: { type: 'base64', data_base64: Buffer.from('<html>').toString('base64') } },
    { ...sound, page_count: 'two' },
  ]);
  expect(status).toBe(200);
  expect(body.results.map((item) => [item.index, item.status, item.error?.code ?? null])).toEqual([
    [0, 'rejected', 'unknown_engine'],
    [1, 'succeeded', null],
    [2, 'rejected', 'invalid_request'],
    [3, 'rejected', 'invalid_request'],
    [4, 'rejected', 'invalid_request'],
    [5, 'rejected', 'unprocessable_entity'],
    [6, 'rejected', 'invalid_request'],
  ]);
  expect([2, 3, 6].map((index) => body.results[index]?.error?.message)).toEqual([
    'input: is required.',
    'must be object.',
    'page_count: must be integer.',
  ]);
  expect(body.total_cost_debited).toBe(0.01);
  await expectBalance(house, accountId, 0.99);
});

it('shows failures as a single request does', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', refuses('No.'));
  house.engines.script('other', fails(500, 'down'));
  const { body } = await batch(caller, [await pictureBody(), await pictureBody('other')]);
  expect(body.results).toEqual([
    expect.objectContaining({ status: 'refunded', cost_debited: 0.004, provider_error: expect.stringMatching(/\S/) }),
    expect.objectContaining({
      status: 'rejected',
      cost_debited: 0,
      error: expect.objectContaining({ code: 'provider_error' }),
    }),
  ]);
  expect(body.total_cost_debited).toBe(0.004);
});

it('names the request of an item that was accepted and ended in an error, and none of one that was not accepted', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', fails(400, 'no such model'));
  const sound = await pictureBody();
  const { body } = await batch(caller, [sound, { ...sound, engine: 'raeder' }, { engine: 'reader' }]);
  expect(body.results.map(({ status, error }) => [status, error?.code])).toEqual([
    ['rejected', 'provider_error'],
    ['rejected', 'unknown_engine'],
    ['rejected', 'invalid_request'],
  ]);
  const [failed, ...refused] = body.results;
  for (const item of refused) expect(item).not.toHaveProperty('request_id');
  expect(failed).toMatchObject({ request_id: expect.stringMatching(/^ocr_/), cost_debited: 0 });
  const read = await caller.get(`/v1/ocr/${failed?.request_id}`);
  expect([read.status, read.body]).toMatchObject([200, { status: 'failed', cost_debited: 0 }]);
});

it.each([
  ['where texts are kept', {}, {}],
  ['with store: false', {}, { store: false }],
  ['with history off', { history: false }, {}],
])('hands out what was recovered of a partial item as a single request does, %s', async (_name, wish, more) => {
  const { caller } = await house.account(wish);
  house.engines.script('reader', () => cutsShort('half a page'));
  house.engines.script('other', says('read'));
  const single = (await caller.ocr(await pictureBody('reader', more))).body;
  expect(single).toMatchObject({ extracted_text_preview: 'half a page', warning: expect.stringMatching(/only part/i) });
  const { body } = await batch(caller, [await pictureBody('reader', more), await pictureBody('other', more)]);
  const [partial, whole] = body.results;
  const { status, extracted_text, extracted_text_preview, warning, cost_debited } = single;
  expect(partial).toMatchObject({ status, extracted_text, extracted_text_preview, warning, cost_debited });
  expect(whole).toMatchObject({ status: 'succeeded', extracted_text: 'read' });
  expect(whole).not.toHaveProperty('extracted_text_preview');
  expect(whole).not.toHaveProperty('warning');
});

it('holds item by item: those that the balance does not reach are rejected', async () => {
  const { accountId, caller } = await house.account({ credit: 0.025 });
  const { body } = await batch(caller, await Promise.all([1, 2, 3, 4].map(() => pictureBody())));
  expect(body.results.filter(({ status }) => status === 'succeeded')).toHaveLength(2);
  expect(body.results.filter(({ error }) => error?.code === 'insufficient_balance')).toHaveLength(2);
  await expectBalance(house, accountId, 0.005);
});

it('ignores an Idempotency-Key: a retry runs and bills again', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const items = [await pictureBody()];
  await batch(caller, items, { 'idempotency-key': 'k' });
  await batch(caller, items, { 'idempotency-key': 'k' });
  expect(house.engines.calls('reader')).toHaveLength(2);
  await expectBalance(house, accountId, 0.98);
});

it('runs its items side by side', async () => {
  const { caller } = await house.account();
  let atOnce = 0;
  house.engines.script('reader', async () => {
    atOnce++;
    await until('all items are at work', () => atOnce === 4);
    return says('together');
  });
  const { body } = await batch(caller, await Promise.all([1, 2, 3, 4].map(() => pictureBody())));
  expect(body.results.every(({ status }) => status === 'succeeded')).toBe(true);
});

it('names fields that do not count in a batch', async () => {
  const { caller } = await house.account();
  const { body } = await batch(caller, [await pictureBody('reader', { mode: 'async', colour: 1 })]);
  expect(body.results[0]).toMatchObject({
    status: 'succeeded',
    warnings: ['Unknown field mode was ignored.', 'Unknown field colour was ignored.'],
  });
});

it.each([
  ['no items', undefined],
  ['an empty list', []],
  ['21 items', Array.from({ length: 21 }, () => ({}))],
  ['items that are no list', 'x'],
])('refuses %s with 400', async (_name, items) => {
  const { caller } = await house.account();
  expectError(await batch(caller, items), 400, 'invalid_request');
});
