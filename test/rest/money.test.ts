import { afterAll, beforeEach, expect, it } from 'vitest';
import { cutsShort, type EngineAnswer, fails, refuses, says } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';

const house = await openHouse({ engines: { reader: {}, dear: { provider_cost_per_page_usd: 0.05 }, shaky: {} } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

it('a hundred mixed requests at once leave a balance that is the sum of their charges', async () => {
  const { accountId, caller } = await house.account({ credit: 3 });
  const endings: EngineAnswer[] = [
    says('fine'),
    refuses('No.'),
    cutsShort('as far as'),
    fails(400, 'odd request'),
    says(''),
  ];
  house.engines.script('reader', (_call, nth) => endings[nth % endings.length] ?? says('fine'));
  const bodies = await Promise.all(Array.from({ length: 100 }, () => pictureBody()));
  const replies = await Promise.all(bodies.map((body) => caller.ocr(body)));
  const nanoUsd = replies.reduce((sum, { body }) => sum + Math.round((body.cost_debited ?? 0) * 1e9), 0);
  expect(house.engines.calls('reader')).toHaveLength(100);
  expect(nanoUsd).toBe(20 * 10_000_000 + 60 * 4_000_000); // 20 successes; 60 refused, cut short or empty; 20 errors
  await expectBalance(house, accountId, (3_000_000_000 - nanoUsd) / 1e9);
});

it('a failure is charged at cost even where that is more than the price of a page', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('dear', cutsShort('the beginning'));
  const { body } = await caller.ocr(await pictureBody('dear'));
  expect(body).toMatchObject({ status: 'partial', cost_debited: 0.05 });
  await expectBalance(house, accountId, 0.95);
});

it('what the balance does not cover stays owed and is collected at the next top-up', async () => {
  const { accountId, caller } = await house.account({ credit: 0.01 });
  house.engines.script('dear', refuses('No.'));
  const { body } = await caller.ocr(await pictureBody('dear'));
  expect(body).toMatchObject({ status: 'refunded' });
  const owing = await house.admin.showAccount(accountId);
  expect(owing).toMatchObject({ balance_usd: 0, held_usd: 0, owed_usd: 0.04 });
  await house.admin.addCredit(accountId, 0.1);
  await expectBalance(house, accountId, 0.06);
});

it('the ledger adds up, and every check of it is named', async () => {
  const { ok, checks } = await house.admin.doctor();
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(ok).toBe(true);
  expect(checks.length).toBeGreaterThan(0);
});
