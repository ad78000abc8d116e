import { afterAll, beforeEach, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { type EngineAnswer, refuses, says } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { ask } from '../house/graphql.ts';
import { openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';

/** Tokens that a page may be answered with, unless a request allows fewer. */
const PAGE_TOKENS = 8192;

const tokenPriced = {
  provider_cost_per_page_usd: null,
  token_prices: { input_per_million_usd: 3, output_per_million_usd: 15 },
};
const house = await openHouse({
  engines: {
    reader: { provider_cost_per_page_usd: null },
    tokens: tokenPriced,
    fees: { ...tokenPriced, token_prices: { ...tokenPriced.token_prices, fee_per_call_usd: 0.001 } },
    absurd: { ...tokenPriced, provider_cost_per_page_usd: 0.004 },
  },
});
const operator = await house.account({ scopes: ['operator'] });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

async function pendingOf(requestId: string) {
  const { data } = await house.admin.pendingBilling();
  return data.filter((entry) => entry.request_id === requestId);
}

async function failedUnpriced(credit: number) {
  const account = await house.account({ credit });
  house.engines.script('reader', refuses('No.'));
  const { body } = await account.caller.ocr(await pictureBody());
  const [pending] = await pendingOf(body.request_id);
  return { ...account, body, attemptId: pending?.attempt_id ?? '' };
}

it('charges nothing and says so while the provider has not reported a cost', async () => {
  const { accountId, body } = await failedUnpriced(1);
  expect(body).toMatchObject({ status: 'refunded', cost_debited: 0, provider_error: expect.stringMatching(/pending/) });
  expect(await pendingOf(body.request_id)).toEqual([
    {
      attempt_id: expect.stringMatching(/^att_/),
      request_id: body.request_id,
      engine: 'reader',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  expect(await doubtOf(body.request_id)).toBe(false);
  await expectBalance(house, accountId, 1);
});

it('debits a verified cost once, however often it is sent', async () => {
  const { accountId, caller, body, attemptId } = await failedUnpriced(1);
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => house.admin.verifyBilling(attemptId, 0.003)),
  );
  const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(done).toEqual([{ attempt_id: attemptId, debited_usd: 0.003, owed_usd: 0 }]);
  await expect(house.admin.verifyBilling(attemptId, 0.003)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await pendingOf(body.request_id)).toEqual([]);
  expect((await caller.get(`/v1/ocr/${body.request_id}`)).body.cost_debited).toBe(0.003);
  expect((await caller.get('/v1/usage')).body).toMatchObject({ total_spent_usd: 0.003, balance_usd: 0.997 });
  await expectBalance(house, accountId, 0.997);
});

it('says no longer that billing is pending once the cost is verified, of a failure and of a success', async () => {
  const { caller, body, attemptId } = await failedUnpriced(1);
  await house.admin.verifyBilling(attemptId, 0.003);
  const failed = (await caller.get(`/v1/ocr/${body.request_id}`)).body;
  expect(failed.provider_error).toBe(
    body.provider_error?.replace(
      /The provider has not reported .* for it yet\./,
      'The provider has since reported what the attempt cost: `cost_debited` is what was charged for it.',
    ),
  );
  house.engines.script('tokens', says('fine'));
  const read = (await caller.ocr(await pictureBody('tokens', { foo: 1 }))).body;
  expect(read.warnings?.[0]).toMatch(/billing is pending/);
  const [pending] = await pendingOf(read.request_id);
  await house.admin.verifyBilling(pending?.attempt_id ?? '', 0.002);
  expect((await caller.get(`/v1/ocr/${read.request_id}`)).body).toMatchObject({
    cost_debited: 0.002,
    warnings: [
      'The provider’s usage was missing or not credible: its cost was verified since, and `cost_debited` is what was charged.',
      'Unknown field foo was ignored.',
    ],
  });
});

it('owes what the balance does not cover, blocks token-priced calls, and collects it first at a top-up', async () => {
  const { accountId, caller, attemptId } = await failedUnpriced(0.02);
  expect(await house.admin.verifyBilling(attemptId, 0.05)).toEqual({
    attempt_id: attemptId,
    debited_usd: 0.02,
    owed_usd: 0.03,
  });
  expect(await house.admin.addCredit(accountId, 0.02)).toMatchObject({ balance_usd: 0, owed_usd: 0.01 });
  const blocked = await caller.ocr(await pictureBody('tokens'));
  expect([blocked.status, blocked.body.error?.code]).toEqual([402, 'insufficient_balance']);
  const beside = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'typed' }]), { fallback_engine: 'tokens' }));
  expect([beside.status, beside.body.error?.code]).toEqual([402, 'insufficient_balance']);
  await house.admin.addCredit(accountId, 1.01);
  await expectBalance(house, accountId, 1);
  expect((await caller.ocr(await pictureBody('tokens'))).status).toBe(200);
});

it('knows no other attempt, and takes no negative cost', async () => {
  await expect(house.admin.verifyBilling('att_unknown', 1)).rejects.toMatchObject({ code: 'not_found' });
  const { attemptId } = await failedUnpriced(1);
  await expect(house.admin.verifyBilling(attemptId, -1)).rejects.toMatchObject({ code: 'invalid_request' });
});

it('charges tokens and the provider’s fee of the call, for a failure too, and the reserve is no cap', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('fees', says('long', { prompt_tokens: 10_000, completion_tokens: 1 }));
  expect((await caller.ocr(await pictureBody('fees'))).body.cost_debited).toBe(0.031015);
  house.engines.script('tokens', says('', { prompt_tokens: 1000, completion_tokens: 0 }));
  expect((await caller.ocr(await pictureBody('tokens'))).body).toMatchObject({
    status: 'refunded',
    cost_debited: 0.003,
  });
  await expectBalance(house, accountId, 1 - 0.031015 - 0.003);
});

const ABSURD: Record<string, unknown> = {
  'a negative number': -5,
  'a billion': 1e9,
  'more than a number holds': 1e300,
  'half a token': 0.5,
  'a word': 'many',
  'one token more than was allowed': PAGE_TOKENS + 1,
};

it.each(Object.entries(ABSURD))(
  'an absurd usage of %s is pending and flagged, and kept as it came',
  async (_name, count) => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('absurd', withUsage(says('fine'), { prompt_tokens: 10, completion_tokens: count }));
    const { status, body } = await caller.ocr(await pictureBody('absurd'));
    expect([status, body.cost_debited]).toEqual([200, 0]);
    expect(body.warnings?.join(' ')).toMatch(/pending/);
    expect(await pendingOf(body.request_id)).toHaveLength(1);
    const query = `{ request(id: "${body.request_id}") { attempts { engine outcome billing cost usage usageDoubted message } } }`;
    const seen = {
      engine: 'absurd',
      outcome: 'ok',
      billing: 'pending',
      cost: 0,
      usageDoubted: true,
      message: expect.stringMatching(/not credible/),
    };
    const kept = [{ prompt_tokens: 10, completion_tokens: count }];
    expect((await ask(operator.caller, query)).data).toEqual({ request: { attempts: [{ ...seen, usage: kept }] } });
    expect((await ask(caller, query)).data).toEqual({ request: { attempts: [{ ...seen, usage: null }] } });
    expect(await doubtOf(body.request_id)).toBe(true);
    await expectBalance(house, accountId, 1);
  },
);

it('a usage that is not believed is still said to be so when its request was deleted', async () => {
  const { caller } = await house.account({ credit: 1 });
  house.engines.script('absurd', withUsage(says('fine'), { prompt_tokens: 10, completion_tokens: -5 }));
  const { body } = await caller.ocr(await pictureBody('absurd'));
  expect((await caller.call('DELETE', `/v1/ocr/${body.request_id}`)).status).toBe(204);
  expect(await doubtOf(body.request_id)).toBe(true);
});

it('tells operators what a provider takes; its caller, by key or login, no more than what was charged', async () => {
  const { caller, accountId } = await house.account({ credit: 1 });
  const usage = { prompt_tokens: 10, completion_tokens: 1, cost: 0.05 };
  house.engines.script('reader', withUsage(refuses('No.'), usage));
  const { body } = await caller.ocr({ ...(await pictureBody()), max_cost_usd: 0.02 });
  const [pending] = await pendingOf(body.request_id);
  await house.admin.verifyBilling(pending?.attempt_id ?? '', 0.05);
  const query = `{ request(id: "${body.request_id}") { cost attempts { billing cost usage } } }`;
  const whole = { request: { cost: 0.02, attempts: [{ billing: 'verified', cost: 0.05, usage: [usage] }] } };
  const hidden = { request: { cost: 0.02, attempts: [{ billing: 'verified', cost: 0.02, usage: null }] } };
  expect((await ask(operator.caller, query)).data).toEqual(whole);
  expect((await ask(caller, query)).data).toEqual(hidden);
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const login = await new Browser(house.product).take(cookie).graphql<{ data: unknown }>(query);
  expect(login.body.data).toEqual(hidden);
});

it('believes as many tokens as were allowed, and an input that the picture explains', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('tokens', says('fine', { prompt_tokens: 50_000, completion_tokens: PAGE_TOKENS }));
  expect((await caller.ocr(await pictureBody('tokens'))).body.cost_debited).toBe(0.27288);
  await expectBalance(house, accountId, 1 - 0.27288);
});

it('does not believe more input than a small picture can be, nor more reasoning beside than any model does', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('tokens', says('fine', { prompt_tokens: 100_000, completion_tokens: 5 }));
  expect((await caller.ocr(await pictureBody('tokens'))).body).toMatchObject({ status: 'succeeded', cost_debited: 0 });
  const beside = {
    prompt_tokens: 10,
    completion_tokens: 5,
    completion_tokens_details: { reasoning_tokens: 9_000_000 },
  };
  house.engines.script('tokens', withUsage(says('fine'), { ...beside, total_tokens: 9_000_015 }));
  expect((await caller.ocr(await pictureBody('tokens'))).body).toMatchObject({ status: 'succeeded', cost_debited: 0 });
  const thought = { ...beside, completion_tokens_details: { reasoning_tokens: 20_000 }, total_tokens: 20_015 };
  house.engines.script('tokens', withUsage(says('fine'), thought));
  expect((await caller.ocr(await pictureBody('tokens'))).body.cost_debited).toBe(0.300105);
  await expectBalance(house, accountId, 0.699895);
});

it('believes no more than the caller’s own cap', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('tokens', says('fine', { prompt_tokens: 10, completion_tokens: 101 }));
  const capped = await pictureBody('tokens', { native_settings: { max_tokens: 100 } });
  expect((await caller.ocr(capped)).body).toMatchObject({ status: 'succeeded', cost_debited: 0 });
  await expectBalance(house, accountId, 1);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

/** What the list of pending costs says of a request's attempt: that its usage was not believed, or that there was none. */
async function doubtOf(requestId: string): Promise<boolean | undefined> {
  type Listed = { pendingCosts: { requestId: string; usageDoubted: boolean }[] };
  const { data } = await ask<Listed>(operator.caller, '{ pendingCosts { requestId usageDoubted } }');
  return data.pendingCosts.find((cost) => cost.requestId === requestId)?.usageDoubted;
}

function withUsage(answer: EngineAnswer, usage: object): EngineAnswer {
  if (answer.kind !== 'json') return answer;
  return { ...answer, body: { ...(answer.body as object), usage } };
}
