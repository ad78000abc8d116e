import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { fails, filters, says } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { makeGate } from '../house/gate.ts';
import { ask } from '../house/graphql.ts';
import type { HouseAccount } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

const because = { reason: 'a mistake of ours' };

async function ledgerOf({ caller }: HouseAccount) {
  const LEDGER = '{ ledger { nodes { kind debit credit amount requestId attemptId reason } } }';
  return (await ask<{ ledger: { nodes: object[] } }>(caller, LEDGER)).data.ledger.nodes;
}

/** An account that owes 0.04 USD, and has nothing. */
async function owing(): Promise<HouseAccount> {
  const account = await house.account({ credit: 0.01 });
  house.engines.script('dear', filters());
  await account.caller.ocr(await pictureBody('dear'));
  expect(await house.admin.showAccount(account.accountId)).toMatchObject({ balance_usd: 0, owed_usd: 0.04 });
  return account;
}

describe('credit adjust', () => {
  it('takes back what was added by mistake, by a transfer that says why', async () => {
    const account = await house.account({ credit: 100 });
    const answer = await house.admin.adjustCredit(account.accountId, -99, because);
    expect(answer).toEqual({ account_id: account.accountId, balance_usd: 1, owed_usd: 0 });
    expect(await ledgerOf(account)).toMatchObject([
      { kind: 'adjustment', debit: 'wallet', credit: 'adjustment', amount: 99, requestId: null, ...because },
      { kind: 'top_up', amount: 100, reason: null },
    ]);
    await expectBalance(house, account.accountId, 1);
  });

  it('never leaves less than nothing available, not even beside a hold: then nothing is taken', async () => {
    const { accountId, caller } = await house.account({ credit: 0.02 });
    const gate = makeGate();
    house.engines.script('reader', () => gate.opened.then(() => says('read')));
    const sending = caller.ocr(await pictureBody());
    await house.engines.called('reader');
    await expect(house.admin.adjustCredit(accountId, -0.011, because)).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => house.admin.adjustCredit(accountId, -0.004, because)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    gate.open();
    expect((await sending).body.cost_debited).toBe(0.01);
    await expectBalance(house, accountId, 0.002);
  });

  it('pays what is owed first', async () => {
    const { accountId } = await owing();
    expect(await house.admin.adjustCredit(accountId, 0.05, because)).toMatchObject({ balance_usd: 0.01, owed_usd: 0 });
    await expectBalance(house, accountId, 0.01);
  });

  it.each([
    ['nothing', 0, because.reason],
    ['no reason', 1, '  '],
    ['a reason with a NUL', 1, 'a\0b'],
    ['no number', Number.NaN, because.reason],
  ])('refuses %s', async (_name, usd, reason) => {
    const { accountId } = await house.account({ credit: 1 });
    await expect(house.admin.adjustCredit(accountId, usd, { reason })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expectBalance(house, accountId, 1);
  });
});

describe('credit refund', () => {
  async function charged(credit = 1) {
    const account = await house.account({ credit });
    const { body } = await account.caller.ocr(await pictureBody());
    expect(body.cost_debited).toBe(0.01);
    return { ...account, requestId: body.request_id };
  }

  it('gives back part by part, never more than was charged, and leaves the request as it is', async () => {
    const { requestId, ...account } = await charged();
    const first = await house.admin.refund(requestId, 0.004, because);
    expect(first).toEqual({
      ...{ request_id: requestId, account_id: account.accountId },
      ...{ refunded_usd: 0.004, balance_usd: 0.994, owed_usd: 0 },
    });
    const race = await Promise.allSettled([1, 2, 3].map(() => house.admin.refund(requestId, 0.004, because)));
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(house.admin.refund(requestId, 0.003, because)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await house.admin.refund(requestId, null, because)).toMatchObject({ refunded_usd: 0.002, balance_usd: 1 });
    await expect(house.admin.refund(requestId, null, because)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await account.caller.get(`/v1/ocr/${requestId}`)).body.cost_debited).toBe(0.01);
    expect((await account.caller.get('/v1/usage')).body).toMatchObject({ total_spent_usd: 0.01, balance_usd: 1 });
    const { data } = await ask<{ request: object }>(
      account.caller,
      `{ request(id: "${requestId}") { cost refunded transfers { kind amount attemptId reason } } }`,
    );
    const refund = { kind: 'refund', attemptId: null, ...because };
    expect(data.request).toMatchObject({
      ...{ cost: 0.01, refunded: 0.01 },
      transfers: [
        { kind: 'charge' },
        { ...refund, amount: 0.004 },
        { ...refund, amount: 0.004 },
        { ...refund, amount: 0.002 },
      ],
    });
    await expectBalance(house, account.accountId, 1);
  });

  it('undoes a late cost that was mistyped, and collects what is still owed', async () => {
    const { accountId, caller } = await house.account({ credit: 0.02 });
    house.engines.script('silent', filters());
    const { body } = await caller.ocr(await pictureBody('silent'));
    const pending = (await house.admin.pendingBilling()).data.find(({ request_id }) => request_id === body.request_id);
    expect(await house.admin.verifyBilling(pending?.attempt_id ?? '', 300)).toMatchObject({ owed_usd: 299.98 });
    expect(await house.admin.refund(body.request_id, 299.99, because)).toMatchObject({
      balance_usd: 0.01,
      owed_usd: 0,
    });
    await expectBalance(house, accountId, 0.01);
  });

  it('is for requests that have ended, and that there are', async () => {
    const { caller } = await house.account();
    const gate = makeGate();
    house.engines.script('reader', () => gate.opened.then(() => says('read')));
    const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    await expect(house.admin.refund(body.request_id, 0.001, because)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(house.admin.refund('ocr_none', 0.001, because)).rejects.toMatchObject({ code: 'not_found' });
    gate.open();
  });
});

describe('a key', () => {
  it('makes a top-up, an adjustment and a refund happen once', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const { body } = await caller.ocr(await pictureBody());
    const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
    for (let n = 0; n < 3; n++) {
      await house.admin.addCredit(accountId, 2, keys[0]);
      await house.admin.adjustCredit(accountId, -0.5, { ...because, key: keys[1] });
      await house.admin.refund(body.request_id, null, { ...because, key: keys[2] });
    }
    await expectBalance(house, accountId, 1 + 2 - 0.5);
  });

  it('is refused with another amount, account, request or kind, and nothing happens', async () => {
    const [one, two] = [await house.account({ credit: 1 }), await house.account({ credit: 1 })];
    const key = randomUUID();
    await house.admin.addCredit(one.accountId, 2, key);
    const conflict = { code: 'idempotency_key_reused' };
    await expect(house.admin.addCredit(one.accountId, 3, key)).rejects.toMatchObject(conflict);
    await expect(house.admin.addCredit(two.accountId, 2, key)).rejects.toMatchObject(conflict);
    await expect(house.admin.adjustCredit(one.accountId, 2, { ...because, key })).rejects.toMatchObject(conflict);
    await expectBalance(house, one.accountId, 3);
    await expectBalance(house, two.accountId, 1);
    const operator = await house.account({ scopes: ['operator'] });
    const ADD =
      'mutation ($id: ID!, $key: String) { addCredit(accountId: $id, usd: 5, idempotencyKey: $key) { available } }';
    expect((await ask(operator.caller, ADD, { id: one.accountId, key })).codes).toEqual(['idempotency_key_reused']);
  });

  it('adds once when it comes five times at once', async () => {
    const { accountId } = await house.account({ credit: 1 });
    const key = randomUUID();
    await Promise.all(Array.from({ length: 5 }, () => house.admin.addCredit(accountId, 2, key)));
    await expectBalance(house, accountId, 3);
  });
});

it('operators correct by GraphQL, audited; nobody else does', async () => {
  const operator = await house.account({ scopes: ['operator'] });
  const { accountId, caller } = await house.account({ credit: 1 });
  const { body } = await caller.ocr(await pictureBody());
  const ADJUST = `mutation { adjustCredit(accountId: "${accountId}", usd: -0.09, reason: "mistyped") { available owed } }`;
  const REFUND = `mutation { refundRequest(requestId: "${body.request_id}", reason: "unreadable") { accountId refunded available owed } }`;
  for (const operation of [ADJUST, REFUND]) {
    expect((await ask(caller, operation)).codes).toEqual(['insufficient_scope']);
  }
  expect((await ask(operator.caller, ADJUST)).data).toEqual({ adjustCredit: { available: 0.9, owed: 0 } });
  const refunded = { accountId, refunded: 0.01, available: 0.91, owed: 0 };
  expect((await ask(operator.caller, REFUND)).data).toEqual({ refundRequest: refunded });
  const AUDIT = '{ auditLog(first: 2) { nodes { action subject details outcome } } }';
  expect((await ask(operator.caller, AUDIT)).data).toMatchObject({
    auditLog: {
      nodes: [
        { action: 'refundRequest', subject: body.request_id, details: { reason: 'unreadable' }, outcome: 'done' },
        { action: 'adjustCredit', subject: accountId, details: { usd: -0.09, reason: 'mistyped' }, outcome: 'done' },
      ],
    },
  });
});

it('a hold that is freed pays what is owed', async () => {
  const { accountId, caller } = await house.account({ credit: 0.02 });
  const gate = makeGate();
  house.engines.script('reader', () => gate.opened.then(() => fails(400, 'odd')));
  house.engines.script('dear', filters());
  const sending = caller.ocr(await pictureBody());
  await house.engines.called('reader');
  expect((await caller.ocr(await pictureBody('dear'))).body.cost_debited).toBe(0.05);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 0, held_usd: 0.01, owed_usd: 0.04 });
  gate.open();
  expect((await sending).status).toBe(502);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 0, held_usd: 0, owed_usd: 0.03 });
});

it('lists pending costs in parts', async () => {
  const operator = await house.account({ scopes: ['operator'] });
  const { caller } = await house.account();
  house.engines.script('silent', filters());
  for (let n = 0; n < 3; n++) await caller.ocr(await pictureBody('silent'));
  const PART = 'query ($first: Int!, $after: ID) { pendingCosts(first: $first, after: $after) { attemptId } }';
  const all = (await house.admin.pendingBilling()).data.map(({ attempt_id }) => attempt_id);
  const part = async (first: number, after?: string) => {
    const { data } = await ask<{ pendingCosts: { attemptId: string }[] }>(operator.caller, PART, { first, after });
    return data.pendingCosts.map(({ attemptId }) => attemptId);
  };
  expect(await part(2)).toEqual(all.slice(0, 2));
  expect(await part(1000, all[1])).toEqual(all.slice(2));
  expect((await ask(operator.caller, PART, { first: 1001 })).codes).toEqual(['invalid_request']);
  expect((await ask(operator.caller, PART, { first: 1, after: 'att_none' })).codes).toEqual(['not_found']);
});

it('leaves a ledger that adds up', async () => {
  expect((await house.admin.doctor()).checks.filter(({ ok }) => !ok)).toEqual([]);
});
