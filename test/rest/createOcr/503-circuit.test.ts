import { afterAll, beforeEach, expect, it } from 'vitest';
import { fails, refuses, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pageOf, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';

const scored = { benchmark: { hard_score: 80, easy_score: 99, measured_at: '2026-11-01' } };
const house = await openHouse({
  engines: {
    down: {},
    late: { concurrency: 1 },
    pages: { concurrency: 1 },
    strict: {},
    retried: scored,
    spare: scored,
  },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

it('an engine that failed five times in a row is not called for a while; nothing is charged, and the key stays free', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('down', fails(500, 'oops'));
  for (let n = 0; n < 5; n++) expectError(await caller.ocr(await pictureBody('down')), 502, 'provider_error');
  const body = await pictureBody('down');
  const reply = await caller.ocr(body, { key: 'k' });
  expectError(reply, 503, 'engine_unavailable', /several times in a row/);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expectError(await caller.ocr(await pictureBody('down'), { key: 'k' }), 503, 'engine_unavailable');
  expect(house.engines.calls('down')).toHaveLength(5);
  await expectBalance(house, accountId, 1);
});

it('requests that were accepted before then are not sent either', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('late', async () => {
    await gate.opened;
    return fails(503, 'down');
  });
  const replies = Promise.all(Array.from({ length: 8 }, async () => caller.ocr(await pictureBody('late'))));
  await house.engines.called('late');
  gate.open();
  const statuses = (await replies).map(({ status, body }) => `${status} ${body.error?.code}`).sort();
  expect(statuses).toEqual([
    ...Array.from({ length: 5 }, () => '502 provider_error'),
    ...Array.from({ length: 3 }, () => '503 engine_unavailable'),
  ]);
  expect(house.engines.calls('late')).toHaveLength(5);
  await expectBalance(house, accountId, 1);
});

it('pages that were read before stay read, and are what is charged', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('pages', async (call, nth) => (nth === 1 ? saysItsPage(call) : fails(500, 'oops')));
  const { body } = await caller.ocr(ocrBody('pages', pdfOfPages(8), { ...AT_72_DPI, page_count: 8 }));
  expect(body).toMatchObject({ status: 'partial', cost_debited: 0.01 });
  expect(body.warnings?.join(' ')).toMatch(/left alone for a moment; it was not called/);
  expect(house.engines.calls('pages')).toHaveLength(6);
  expect(await Promise.all(house.engines.calls('pages').slice(0, 1).map(pageOf))).toHaveLength(1);
  await expectBalance(house, accountId, 0.99);
});

it('is what automatic retry helps against, for requests that had been accepted', async () => {
  const { caller } = await house.account();
  house.engines.script('retried', fails(500, 'oops'));
  for (let n = 0; n < 5; n++) {
    const { body } = await caller.ocr(await pictureBody('retried', { fallback: 'similar' }));
    expect(body).toMatchObject({ status: 'succeeded', engine: 'spare', cost_debited: 0.01 });
  }
});

it.each([
  ['refusals', refuses('No.')],
  ['bad requests', fails(400, 'odd')],
  ['wrong keys', fails(401, 'who?')],
  ['rates', fails(429, 'slow down')],
] as const)('%s never make an engine rest', async (_name, answer) => {
  const { caller } = await house.account();
  house.engines.script('strict', answer);
  for (let n = 0; n < 6; n++) await caller.ocr(await pictureBody('strict'));
  house.engines.script('strict', says('fine'));
  expect((await caller.ocr(await pictureBody('strict'))).status).toBe(200);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});
