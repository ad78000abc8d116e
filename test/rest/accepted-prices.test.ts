import { expect, it } from 'vitest';
import { queueAsync } from '../house/async-request.ts';
import { Caller } from '../house/caller.ts';
import { refuses, says, silence } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture, pictureAs } from '../house/pictures.ts';
import { until } from '../house/until.ts';

const scored = { benchmark: { hard_score: 80, easy_score: 99, measured_at: '2026-11-01' } };
const tokens = (price: number) => ({
  provider_cost_per_page_usd: null,
  token_prices: { input_per_million_usd: price, output_per_million_usd: price },
});

it('charges the prices of acceptance, whatever the configuration says when the work is done', async () => {
  const env = { SHUTDOWN_LIMIT_MS: '50' };
  const before = {
    reader: {},
    asked: { ...scored, provider_cost_per_page_usd: 0.001 },
    spare: { ...scored, price_per_page_usd: 0.004 },
    tokens: tokens(10),
  };
  await using house = await openHouse({ engines: before, env });
  const { accountId, apiKey, caller } = await house.account({ credit: 1 });
  for (const id of Object.keys(before)) house.engines.script(id, silence);
  const jpeg = await pictureAs('jpeg');
  const scan = makePdf([{ size: [100, 80], picture: { jpeg, width: 64, height: 48 } }]);
  const send = async (body: object) => (await caller.ocr({ ...body, mode: 'async' })).body.request_id;
  const requests = {
    flat: await send(await pictureBody('reader', { page_count: 2 })),
    byTokens: await send(await pictureBody('tokens')),
    retried: await send(await pictureBody('asked', { fallback: true })),
    handedOn: await send(ocrBody('pdf-text', scan, { fallback_engine: 'reader' })),
  };
  await house.engines.called('reader', 2);
  await house.product.stop();
  house.engines.reset();
  house.engines.script('asked', refuses('No.'));
  house.engines.script('tokens', says('read', { prompt_tokens: 900, completion_tokens: 100 }));
  const after = {
    reader: { price_per_page_usd: 0.05, provider_cost_per_page_usd: 0.02 },
    asked: { ...scored, price_per_page_usd: 0.02, provider_cost_per_page_usd: 0.002 },
    spare: { ...scored, price_per_page_usd: 0.006 },
    tokens: tokens(70),
  };
  const unpriced = await house.account({ credit: 1 });
  const old = await queueAsync(house.product, unpriced, { document: await picture(), webhookUrl: null });
  const engines = Object.entries(after).map(([id, more]) => house.engines.entry(id, more));
  await using product = await hostProduct({ databaseUrl: house.product.databaseUrl, engines, env });
  const costOf = (id: string, key = apiKey) =>
    until('the request has ended', async () => {
      const { body } = await new Caller(product.url, key).get(`/v1/ocr/${id}`);
      return body.status === 'succeeded' && { cost: body.cost_debited };
    });
  expect(await costOf(requests.flat)).toEqual({ cost: 0.02 });
  expect(await costOf(requests.byTokens)).toEqual({ cost: 0.01 });
  expect(await costOf(requests.retried)).toEqual({ cost: 0.005 }); // 0.001 for the refusal, 0.004 for the page
  expect(await costOf(requests.handedOn)).toEqual({ cost: 0.01 });
  await expectBalance(house, accountId, 0.955);
  expect(await costOf(old, unpriced.apiKey)).toEqual({ cost: 0.05 }); // accepted before prices were kept
  expect((await house.admin.doctor()).ok).toBe(true);
});
