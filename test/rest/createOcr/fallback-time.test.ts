import { afterAll, beforeEach, expect, it } from 'vitest';
import { type EngineAnswer, refuses, silence } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ask } from '../../house/graphql.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

const scored = (hard_score: number) => ({ benchmark: { hard_score, easy_score: 99, measured_at: '2026-11-01' } });
const house = await openHouse({
  engines: {
    reader: scored(80),
    hasty: { ...scored(80), timeout_ms: 300 },
    spare: { ...scored(85), price_per_page_usd: 0.008 },
    unpriced: { ...scored(60), provider_cost_per_page_usd: null },
    unpricedSpare: { ...scored(60), provider_cost_per_page_usd: null },
  },
  env: { SYNC_LIMIT_MS: '2500' },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const FIRST: Record<string, readonly [string, EngineAnswer, string]> = {
  refused: ['reader', refuses('No.'), 'refused'],
  'did not answer within its own limit': ['hasty', silence, 'timeout'],
};

it.each(Object.entries(FIRST))(
  'the second attempt gets what is left of the time after the first %s; then both are charged at cost and the key is bound',
  async (_name, [engine, answer, outcome]) => {
    const { accountId, apiKey, caller } = await house.account({ credit: 1 });
    house.engines.script(engine, answer);
    house.engines.script('spare', silence);
    const request = await pictureBody(engine, { fallback: 'similar' });
    const { status, body, headers } = await caller.ocr(request, { key: 'k' });
    expect([status, body.status, body.engine, body.cost_debited]).toEqual([202, 'refunded', engine, 0.008]);
    expect(body.provider_error).toMatch(/spare failed as well: .*in time/);
    expect(body.metadata ?? {}).not.toHaveProperty('fallback');
    expect(headers).not.toHaveProperty('retry-after');
    await until('the second engine sees that it is over', () => house.engines.calls('spare')[0]?.aborted);
    expect((await caller.ocr(request, { key: 'k' })).body).toEqual(body);
    expect((await caller.get(`/v1/ocr/${body.request_id}`)).body).toMatchObject({
      status: 'failed',
      cost_debited: 0.008,
    });
    expect(await attemptsOf(apiKey, body.request_id)).toEqual([
      { engine, outcome, billing: 'settled', cost: 0.004 },
      { engine: 'spare', outcome: 'timeout', billing: 'settled', cost: 0.004 },
    ]);
    expect(house.engines.calls(engine)).toHaveLength(1);
    expect(house.engines.calls('spare')).toHaveLength(1);
    await expectBalance(house, accountId, 0.992);
  },
);

it('the time of the request that ends in the first attempt leaves none for a second one: a timeout, not retried', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', silence);
  const request = await pictureBody('reader', { fallback: 'similar' });
  const { status, body } = await caller.ocr(request, { key: 'k' });
  expect([status, body.status, body.cost_debited]).toEqual([503, 'timeout', 0.004]);
  expect(house.engines.calls('spare')).toEqual([]);
  await expectBalance(house, accountId, 0.996);
});

it('a second attempt that is stopped costs nothing before its provider has said what it costs', async () => {
  const { accountId, apiKey, caller } = await house.account({ credit: 1 });
  house.engines.script('unpriced', refuses('No.'));
  house.engines.script('unpricedSpare', silence);
  const { body } = await caller.ocr(await pictureBody('unpriced', { fallback: 'similar' }));
  expect(body).toMatchObject({ status: 'refunded', cost_debited: 0, provider_error: expect.stringMatching(/pending/) });
  expect(await attemptsOf(apiKey, body.request_id)).toEqual([
    { engine: 'unpriced', outcome: 'refused', billing: 'pending', cost: 0 },
    { engine: 'unpricedSpare', outcome: 'timeout', billing: 'pending', cost: 0 },
  ]);
  await expectBalance(house, accountId, 1);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

async function attemptsOf(apiKey: string, requestId: string): Promise<unknown> {
  const query = `{ ocrRequest(id: "${requestId}") { attempts { engine outcome billing cost } } }`;
  const { data } = await ask<{ ocrRequest: { attempts: unknown } }>(house.callerWith(apiKey), query);
  return data.ocrRequest.attempts;
}
