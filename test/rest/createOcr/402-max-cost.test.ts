import { afterAll, beforeEach, expect, it } from 'vitest';
import { fails, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ask } from '../../house/graphql.ts';
import { openHouse } from '../../house/house.ts';
import { readMetrics } from '../../house/metrics.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pageOf, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';
import { until } from '../../house/until.ts';

/** A micro-dollar a token, input and output. */
const TOKEN_PRICES = { input_per_million_usd: 1, output_per_million_usd: 1 };
const house = await openHouse({
  engines: {
    reader: {},
    dear: { provider_cost_per_page_usd: 0.05 },
    tokens: {
      token_prices: TOKEN_PRICES,
      max_input_tokens_per_page: 6000,
      max_output_tokens_per_page: 4000,
      concurrency: 1,
      price_per_page_usd: 0.001,
    },
    late: {
      token_prices: TOKEN_PRICES,
      max_input_tokens_per_page: 6000,
      max_output_tokens_per_page: 4000,
      provider_cost_per_page_usd: null,
    },
    endless: { token_prices: TOKEN_PRICES },
    priceless: { price_per_page_usd: 1_000_000, max_pages_per_request: 100_000 },
  },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

it('a price above any balance, and above what the database can hold', async () => {
  const { caller } = await house.account({ credit: 1 });
  const body = await pictureBody('priceless', { page_count: 9224 });
  expectError(await caller.ocr(body), 402, 'insufficient_balance', /needs 9224000000 USD/);
});

it('a price above max_cost_usd: nothing runs, and the key is free', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const body = ocrBody('reader', pdfOfPages(3), { ...AT_72_DPI, page_count: 3 });
  const refused = await caller.ocr({ ...body, max_cost_usd: 0.029 }, { key: 'capped' });
  expectError(refused, 402, 'budget_exceeded', /0\.03 USD.*0\.029/);
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, accountId, 1);
  house.engines.script('reader', saysItsPage);
  const read = await caller.ocr({ ...body, max_cost_usd: 0.03 }, { key: 'capped' });
  expect(read.body).toMatchObject({ status: 'succeeded', cost_debited: 0.03 });
  const replay = await caller.ocr({ ...body, max_cost_usd: 0.001 }, { key: 'capped' });
  expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
});

it('is never rounded up, and is no less than a nano-dollar, over REST and GraphQL', async () => {
  const { caller } = await house.account({ credit: 1 });
  const SUBMIT = 'mutation ($r: OcrRequestInput!) { submitOcr(request: $r, idempotencyKey: "k") { id } }';
  const { input } = await pictureBody();
  for (const [limit, status, code] of [
    [0.0099999999999, 402, 'budget_exceeded'],
    [6e-10, 400, 'invalid_request'],
    [1e-9, 402, 'budget_exceeded'],
  ] as const) {
    expectError(await caller.ocr(await pictureBody('reader', { max_cost_usd: limit })), status, code);
    const r = { engine: 'reader', input: { type: input.type, dataBase64: input.data_base64 }, maxCostUsd: limit };
    expect((await ask(caller, SUBMIT, { r })).codes).toEqual([code]);
  }
  expect(house.engines.calls('reader')).toEqual([]);
});

it('what a failure costs beyond it is not charged, nor what an operator verifies later', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('dear', says(''));
  const { body } = await caller.ocr(await pictureBody('dear', { max_cost_usd: 0.02 }));
  expect(body).toMatchObject({ status: 'refunded', cost_debited: 0.02 });
  await expectBalance(house, accountId, 0.98);
  const metrics = readMetrics((await house.stranger.get('/metrics')).text);
  expect(metrics.value('ocr_cap_exceeded_usd_total')).toBeCloseTo(0.03, 9); // of the 0.05 that it cost
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});

it('a late cost is charged up to the limit', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('late', says('read, and nothing said of tokens'));
  const { body } = await caller.ocr(await pictureBody('late', { max_cost_usd: 0.02 }));
  expect(body).toMatchObject({ status: 'succeeded', cost_debited: 0 });
  const { data } = await house.admin.pendingBilling();
  const pending = data.find(({ request_id }) => request_id === body.request_id);
  await house.admin.verifyBilling(pending?.attempt_id ?? '', 0.5);
  await expectBalance(house, accountId, 0.98);
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});

it('pages of a token-priced engine are begun as long as their worst cost fits: the rest fails, the limit holds', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('tokens', async (call) => {
    const page = await pageOf(call);
    return says(`text of page ${page}`, { prompt_tokens: page > 2 ? 5000 : 2000, completion_tokens: 1000 });
  });
  const body = ocrBody('tokens', pdfOfPages(6), { ...AT_72_DPI, page_count: 6, max_cost_usd: 0.02 });
  const { body: result } = await caller.ocr(body);
  // 3,000 + 3,000 + 6,000 tokens are used; the worst of a fourth page, 10,000, does not fit into 20,000 any more.
  expect(house.engines.calls('tokens').map(({ body: sent }) => sent['max_tokens'])).toEqual([4000, 4000, 4000]);
  expect(result).toMatchObject({ status: 'partial', pages: 3, cost_debited: 0.012 });
  expect(result.warnings?.join(' ')).toMatch(/Page 6 failed: .*max_cost_usd/);
  await expectBalance(house, accountId, 0.988);
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});

it('a token-priced engine of which not one page fits is 402; one without a known worst cost is 400', async () => {
  const { caller } = await house.account();
  const tokens = await pictureBody('tokens', { max_cost_usd: 0.009 });
  expectError(await caller.ocr(tokens), 402, 'budget_exceeded', /0\.01 USD/);
  const endless = await pictureBody('endless', { max_cost_usd: 0.5 });
  expectError(await caller.ocr(endless), 400, 'invalid_request', /max_cost_usd.*endless/);
});

it('holds at most the limit, and refuses what is no amount', async () => {
  const { caller } = await house.account({ credit: 0.009 });
  expect((await caller.ocr(await pictureBody('tokens'))).status).toBe(200); // an estimate is reserved, no worst cost
  expectError(await caller.ocr(await pictureBody('tokens', { max_cost_usd: 0.02 })), 402, 'insufficient_balance');
  for (const max_cost_usd of [0, -1, 'x', 1e9]) {
    expectError(
      await caller.ocr(await pictureBody('reader', { max_cost_usd })),
      400,
      'invalid_request',
      /max_cost_usd/,
    );
  }
});

it('pages that take more tokens than their operator says are charged by their usage, and told to the operator once', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const usage = { prompt_tokens: 9000, completion_tokens: 1000 };
  house.engines.script('tokens', says('a page of many tokens', usage));
  const { body: estimate } = await caller.call<{ worst_case_usd: number }>('POST', '/v1/ocr/estimate', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await pictureBody('tokens')),
  });
  expect(estimate.worst_case_usd).toBe(0.01);
  for (let i = 0; i < 3; i++) {
    const { body } = await caller.ocr(await pictureBody('tokens'));
    expect(body).toMatchObject({ status: 'succeeded', cost_debited: 0.01 });
  }
  house.engines.script('tokens', says('more', { ...usage, completion_tokens: 3000 }));
  expect((await caller.ocr(await pictureBody('tokens'))).body.cost_debited).toBe(0.012);
  await expectBalance(house, accountId, 0.958);
  const metrics = readMetrics((await house.stranger.get('/metrics')).text);
  expect(metrics.value('ocr_page_tokens_exceeded_total', { engine: 'tokens' })).toBe(4);
  expect(metrics.value('ocr_page_tokens_exceeded_total', { engine: 'reader' })).toBe(0);
  const told = () => house.product.logs().match(/^.*can cost more than their worst_case_usd.*$/gm) ?? [];
  await until('it is told', () => told().length > 0);
  expect(told()).toEqual([expect.stringMatching(/"inputTokens":9000.*"mostInputTokens":6000/)]);
});

it('a retry is inside of it', async () => {
  const { caller } = await house.account();
  house.engines.script('dear', fails(503, 'overloaded'));
  const { body } = await caller.ocr(await pictureBody('dear', { fallback: 'similar', max_cost_usd: 0.01 }));
  expect(body.cost_debited).toBeLessThanOrEqual(0.01);
});
