import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Caller } from '../../house/caller.ts';
import { fails, filters, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { ask } from '../../house/graphql.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages } from '../../house/page-sizes.ts';
import { readSql } from '../../house/sql.ts';

const TOKENS = {
  provider_cost_per_page_usd: null,
  token_prices: { input_per_million_usd: 1, output_per_million_usd: 2 },
};
const house = await openHouse({ engines: { reader: {}, tokens: TOKENS } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());
const operator = (await house.account({ scopes: ['operator'] })).caller;

/** What a process knows of a key is believed for half a second. */
const BELIEVED_MS = 600;
const BUDGET = 'budget { amount period spent held remaining endsAt }';

interface Budget {
  readonly amount: number;
  readonly spent: number;
  readonly held: number;
  readonly remaining: number;
  readonly endsAt: string | null;
}

/** An account whose key may spend so much. */
async function limited(usd: number, period = 'month') {
  const account = await house.account();
  const [{ id: keyId } = { id: '' }] = await keysOf(account.accountId);
  const limit = (amount: number | null, every = period) =>
    ask<{ setKeyBudget: { budget: Budget | null } | null }>(
      operator,
      `mutation ($id: ID!, $usd: Float, $every: BudgetPeriod!) { setKeyBudget(id: $id, usd: $usd, period: $every) { ${BUDGET} } }`,
      { id: keyId, usd: amount, every },
    );
  await limit(usd);
  await sleep(BELIEVED_MS);
  const budget = async () => (await keysOf(account.accountId)).find(({ id }) => id === keyId)?.budget ?? null;
  return { ...account, keyId, limit, budget };
}

async function keysOf(accountId: string) {
  const query = `query ($id: ID) { account(id: $id) { keys { id ${BUDGET} } } }`;
  type Answer = { account: { keys: { id: string; budget: Budget | null }[] } };
  return (await ask<Answer>(operator, query, { id: accountId })).data.account.keys;
}

async function expectSoundBooks(): Promise<void> {
  const query = '{ ledgerChecks(full: true) { name ok } }';
  const { data } = await ask<{ ledgerChecks: { name: string; ok: boolean }[] }>(operator, query);
  expect(data.ledgerChecks.filter(({ ok }) => !ok)).toEqual([]);
  expect(data.ledgerChecks.map(({ name }) => name)).toContain('limits of keys count their requests');
}

it('refuses what the limit does not reach for, and says what is left and until when', async () => {
  const { accountId, caller, budget } = await limited(0.015);
  expect((await caller.ocr(await pictureBody())).status).toBe(200);
  const refused = await caller.ocr(await pictureBody());
  expectError(
    refused,
    402,
    'budget_exceeded',
    /0\.015 USD a month.*0\.005 USD are left.*needs 0\.01 USD.*-01T00:00:00/,
  );
  expect(house.engines.calls('reader')).toHaveLength(1);
  expect(await budget()).toMatchObject({ amount: 0.015, spent: 0.01, held: 0, remaining: 0.005 });
  const { api_key: other } = await house.admin.createKey({ accountId });
  expect((await house.callerWith(other).ocr(await pictureBody())).status).toBe(200);
  await expectBalance(house, accountId, 9.98);
  await expectSoundBooks();
});

it('refuses a large document before it is opened', async () => {
  const { caller } = await limited(0.015);
  const broken = Buffer.concat([pdfOfPages(1).subarray(0, 200), Buffer.from('nothing of this is a PDF')]);
  const body = ocrBody('reader', broken, { ...AT_72_DPI, page_count: 2 });
  expectError(await caller.ocr(body), 402, 'budget_exceeded');
});

it('does not bind the idempotency key, and replays whatever is left', async () => {
  const { caller, limit } = await limited(0.01);
  const body = await pictureBody();
  const first = await caller.ocr(body, { key: 'once' });
  expect((await caller.ocr(body, { key: 'once' })).body).toEqual(first.body);
  const next = await pictureBody();
  expectError(await caller.ocr(next, { key: 'twice' }), 402, 'budget_exceeded');
  await limit(0.02);
  expect((await caller.ocr(next, { key: 'twice' })).status).toBe(200);
});

it.each([1, 2])('of 60 requests at once on a limit for 7 exactly 7 run, over %d processes', async (processes) => {
  const { accountId, apiKey, caller, budget } = await limited(0.07);
  await using stack = new AsyncDisposableStack();
  const callers = [caller];
  if (processes === 2) {
    const engines = [house.engines.entry('reader', {})];
    const second = stack.use(await hostProduct({ databaseUrl: house.databaseUrl, engines }));
    callers.push(new Caller(second.url, apiKey));
  }
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('one of seven');
  });
  const bodies = await Promise.all(Array.from({ length: 60 }, () => pictureBody()));
  let refused = 0;
  const answers = bodies.map(async (body, n) => {
    const reply = await callers[n % callers.length]?.ocr(body);
    if (reply?.status === 402) refused += 1;
    return reply?.status;
  });
  await expect.poll(() => refused, { timeout: 20_000 }).toBe(53);
  expect(await budget()).toMatchObject({ spent: 0, held: 0.07, remaining: 0 });
  gate.open();
  const statuses = await Promise.all(answers);
  expect(statuses.filter((status) => status === 200)).toHaveLength(7);
  expect(await budget()).toMatchObject({ spent: 0.07, held: 0, remaining: 0 });
  await expectBalance(house, accountId, 9.93);
  await expectSoundBooks();
});

it('gives back what a failure did not cost, and what is refunded', async () => {
  const { caller, budget } = await limited(0.02);
  house.engines.script('reader', filters());
  expect((await caller.ocr(await pictureBody())).body).toMatchObject({ status: 'refunded', cost_debited: 0.004 });
  expect(await budget()).toMatchObject({ spent: 0.004, held: 0 });
  house.engines.script('reader', fails(400, 'odd'));
  await caller.ocr(await pictureBody());
  expect(await budget()).toMatchObject({ spent: 0.004, held: 0 });
  house.engines.script('reader', says('well'));
  const { body } = await caller.ocr(await pictureBody());
  expect(await budget()).toMatchObject({ spent: 0.014, remaining: 0.006 });
  await house.admin.refund(body.request_id, null, { reason: 'it was unreadable' });
  expect(await budget()).toMatchObject({ spent: 0.004, remaining: 0.016 });
  await expectSoundBooks();
});

it('counts tokens at what they cost, beyond what they held, and takes none of them once all is spent', async () => {
  const { caller, budget } = await limited(0.015);
  house.engines.script('tokens', says('dear', { prompt_tokens: 20_000, completion_tokens: 0 }));
  expect((await caller.ocr(await pictureBody('tokens'))).body).toMatchObject({ cost_debited: 0.02 });
  expect(await budget()).toMatchObject({ spent: 0.02, remaining: -0.005 });
  expectError(await caller.ocr(await pictureBody('tokens')), 402, 'budget_exceeded', /of which 0 USD are left/);
  await expectSoundBooks();
});

it('counts what a provider reports late', async () => {
  const { accountId, caller, budget } = await limited(0.05);
  house.engines.script('tokens', filters());
  const { body } = await caller.ocr(await pictureBody('tokens'));
  expect(await budget()).toMatchObject({ spent: 0, held: 0 });
  const pending = (await house.admin.pendingBilling()).data.find(({ request_id }) => request_id === body.request_id);
  await house.admin.verifyBilling(pending?.attempt_id ?? '', 0.03);
  expect(await budget()).toMatchObject({ spent: 0.03, remaining: 0.02 });
  await expectBalance(house, accountId, 9.97);
  await expectSoundBooks();
});

it('begins anew when its period is over, and counts a request in the period in which it was accepted', async () => {
  const { keyId, caller, budget } = await limited(0.01, 'day');
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('of yesterday');
  });
  const first = caller.ocr(await pictureBody());
  await house.engines.called('reader');
  expectError(await caller.ocr(await pictureBody()), 402, 'budget_exceeded', /0\.01 USD a day/);
  await readSql(
    house.databaseUrl,
    `update key_budget set ends_at = now() - interval '1 second' where key_id = '${keyId}'`,
  );
  expect(await budget()).toMatchObject({ spent: 0, held: 0, remaining: 0.01 });
  expect((await budget())?.endsAt).toMatch(/T00:00:00.000Z$/);
  const second = caller.ocr(await pictureBody());
  await expect.poll(budget).toMatchObject({ held: 0.01 });
  gate.open();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(await budget()).toMatchObject({ spent: 0.01, held: 0, remaining: 0 });
  await expectSoundBooks();
});

it('goes on counting under another amount, anew in another period, and not at all once it is taken away', async () => {
  const { caller, limit, budget } = await limited(0.02);
  await caller.ocr(await pictureBody());
  await limit(0.05);
  expect(await budget()).toMatchObject({ amount: 0.05, spent: 0.01 });
  await limit(0.05, 'total');
  expect(await budget()).toMatchObject({ spent: 0, endsAt: null });
  await limit(null);
  expect(await budget()).toBeNull();
  await sleep(BELIEVED_MS);
  for (let n = 0; n < 6; n++) expect((await caller.ocr(await pictureBody())).status).toBe(200);
  await limit(0.05, 'total');
  expect(await budget()).toMatchObject({ spent: 0, remaining: 0.05 });
  await expectSoundBooks();
});

it('is open requests’ own: those of a limit that was taken away do not count in the next one', async () => {
  const { caller, limit, budget } = await limited(0.01, 'total');
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('late');
  });
  const open = caller.ocr(await pictureBody());
  await house.engines.called('reader');
  await limit(0.03, 'week');
  expect(await budget()).toMatchObject({ held: 0, remaining: 0.03 });
  gate.open();
  expect((await open).status).toBe(200);
  expect(await budget()).toMatchObject({ spent: 0, held: 0 });
  await expectSoundBooks();
});

it('is part of an estimate, and refuses items of a batch alone', async () => {
  const { caller } = await limited(0.015);
  const estimate = async (pages: number) => {
    const body = JSON.stringify(ocrBody('reader', pdfOfPages(2), { ...AT_72_DPI, page_count: pages }));
    return (await caller.call('POST', '/v1/ocr/estimate', { body, headers: { 'content-type': 'application/json' } }))
      .body;
  };
  expect(await estimate(1)).toMatchObject({ covered: true, budget_remaining_usd: 0.015 });
  expect(await estimate(2)).toMatchObject({ covered: false, budget_remaining_usd: 0.015 });
  const items = [await pictureBody(), await pictureBody()];
  const body = JSON.stringify({ items });
  const answer = await caller.call<{ results: { error?: { code: string } }[] }>('POST', '/v1/ocr/batch', {
    body,
    headers: { 'content-type': 'application/json' },
  });
  const codes = answer.body.results.map(({ error }) => error?.code ?? null);
  expect(codes.toSorted()).toEqual(['budget_exceeded', null].toSorted());
});

it.each([0, -1])('is more than 0 USD, and not %d', async (usd) => {
  const { limit, budget } = await limited(0.01);
  expect((await limit(usd)).codes).toEqual(['invalid_request']);
  expect(await budget()).toMatchObject({ amount: 0.01 });
});

it('is no matter of keys: none sets its own', async () => {
  const { caller, keyId } = await limited(0.01);
  const query = 'mutation ($id: ID!) { setKeyBudget(id: $id) { id } }';
  expect((await ask(caller, query, { id: keyId })).codes).toEqual(['insufficient_scope']);
});
