import { beforeEach, expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

it('a balance below the price of the page', async () => {
  const { accountId, caller } = await house.account({ credit: 0.0099 });
  expectError(await caller.ocr(await pictureBody()), 402, 'insufficient_balance');
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, accountId, 0.0099);
});

it('is not answered by a balance that is exactly enough', async () => {
  const { accountId, caller } = await house.account({ credit: 0.01 });
  expect((await caller.ocr(await pictureBody())).status).toBe(200);
  await expectBalance(house, accountId, 0);
  expectError(await caller.ocr(await pictureBody()), 402, 'insufficient_balance');
});

it('counts every page that was asked for', async () => {
  const { caller } = await house.account({ credit: 0.029 });
  const body = ocrBody('reader', pdfOfPages(3), { ...AT_72_DPI, page_count: 3 });
  expectError(await caller.ocr(body), 402, 'insufficient_balance');
});

it('does not bind its key: the same request runs after a top-up', async () => {
  const { accountId, caller } = await house.account({ credit: 0 });
  const body = await pictureBody();
  expectError(await caller.ocr(body, { key: 'poor' }), 402, 'insufficient_balance');
  await house.admin.addCredit(accountId, 0.01);
  const { status, headers } = await caller.ocr(body, { key: 'poor' });
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('idempotent-replayed');
});

it('does not keep a finished request from being replayed', async () => {
  const { caller } = await house.account({ credit: 0.01 });
  const body = await pictureBody();
  const first = await caller.ocr(body, { key: 'last cent' });
  const replay = await caller.ocr(body, { key: 'last cent' });
  expect(replay.status).toBe(200);
  expect(replay.body).toEqual(first.body);
});

it('what is held cannot be spent twice, and is free again after a failure', async () => {
  const { accountId, caller } = await house.account({ credit: 0.01 });
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('');
  });
  const first = caller.ocr(await pictureBody());
  await house.engines.called('reader');
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 0, held_usd: 0.01 });
  expectError(await caller.ocr(await pictureBody()), 402, 'insufficient_balance');
  gate.open();
  expect((await first).body).toMatchObject({ status: 'refunded', cost_debited: 0.004 });
  await expectBalance(house, accountId, 0.006);
});

it('of 60 requests at once on a balance for 7, exactly 7 run', async () => {
  const { accountId, caller } = await house.account({ credit: 0.07 });
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('one of seven');
  });
  const bodies = await Promise.all(Array.from({ length: 60 }, () => pictureBody()));
  let refused = 0;
  const answers = bodies.map(async (body) => {
    const reply = await caller.ocr(body);
    if (reply.status === 402) refused += 1;
    return reply;
  });
  await until('all but seven are refused', () => refused === 53);
  gate.open();
  const replies = await Promise.all(answers);
  const ran = replies.filter(({ status }) => status === 200);
  expect(ran).toHaveLength(7);
  for (const reply of replies.filter(({ status }) => status !== 200)) expectError(reply, 402, 'insufficient_balance');
  expect(house.engines.calls('reader')).toHaveLength(7);
  expect(new Set(ran.map(({ body }) => body.request_id)).size).toBe(7);
  await expectBalance(house, accountId, 0);
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

it('lets a batch of accounts through side by side, each on its own balance', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => house.account({ credit: 0.02 })));
  const bodies = await Promise.all(accounts.flatMap(() => [1, 2, 3].map(() => pictureBody())));
  const replies = await Promise.all(bodies.map((body, index) => accounts[index % accounts.length]?.caller.ocr(body)));
  expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(16);
  expect(replies.filter((reply) => reply?.status === 402)).toHaveLength(8);
  for (const { accountId } of accounts) await expectBalance(house, accountId, 0);
});
