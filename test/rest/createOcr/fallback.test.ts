import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cutsShort, type EngineAnswer, fails, refuses, says, silence } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';

const scored = (hard_score: number) => ({
  benchmark: { hard_score, easy_score: 99, measured_at: '2026-11-01' },
  timeout_ms: 700,
});
const house = await openHouse({
  engines: {
    reader: scored(80),
    spare: { ...scored(85), price_per_page_usd: 0.008 },
    weaker: { ...scored(79), price_per_page_usd: 0.001 },
    lonely: scored(20),
    dear: { ...scored(90.1), provider_cost_per_page_usd: 0.05 },
  },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const similar = (engine = 'reader', fields = {}) => pictureBody(engine, { fallback: 'similar', ...fields });

const RETRIED: Record<string, readonly [EngineAnswer, string, number]> = {
  'refuses the page': [refuses('No.'), 'refused', 0.004],
  'returns no text': [says(''), 'empty', 0.004],
  'hits a temporary error': [fails(503, 'later'), 'failed', 0],
  'is too busy': [fails(429, 'slow down'), 'failed', 0],
  'does not answer in time': [silence, 'timeout', 0.004],
};

it.each(Object.entries(RETRIED))(
  'reads with the comparable engine when the requested one %s',
  async (_name, [answer, outcome, cost]) => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', answer);
    const { status, body } = await caller.ocr(await similar());
    const charge = cost > 0 ? 0.01 : 0.008; // 0.004 + 0.008, but never more than the page price of `reader`
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'succeeded',
      engine: 'spare',
      extracted_text: 'read by spare',
      cost_debited: charge,
    });
    expect(body.warning).toMatch(/reader.*spare/);
    expect(body.metadata?.['fallback']).toEqual({
      requested_engine: 'reader',
      used_engine: 'spare',
      reason: expect.stringMatching(/\S/),
      attempts: [
        { engine: 'reader', outcome, provider_latency_ms: expect.any(Number), cost_usd: cost },
        { engine: 'spare', outcome: 'ok', provider_latency_ms: expect.any(Number), cost_usd: charge - cost },
      ],
    });
    expect(house.engines.calls('reader')).toHaveLength(1);
    expect(house.engines.calls('spare')).toHaveLength(1);
    expect(house.engines.calls('weaker')).toHaveLength(0);
    await expectBalance(house, accountId, 1 - charge);
  },
);

it('does so for `true`, and tells the same to GET and to a replay', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', refuses('No.'));
  const request = await pictureBody('reader', { fallback: true });
  const first = await caller.ocr(request, { key: 'k' });
  const replay = await caller.ocr(request, { key: 'k' });
  const read = await caller.get(`/v1/ocr/${first.body.request_id}`);
  expect(replay.body).toEqual(first.body);
  expect(read.body).toMatchObject({
    status: 'succeeded',
    engine: 'spare',
    metadata: first.body.metadata,
    cost_debited: 0.01,
  });
  expect(house.engines.calls('spare')).toHaveLength(1);
});

it('keeps native_settings for the engine that they are meant for', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', refuses('No.'));
  const { body } = await caller.ocr(await similar('reader', { native_settings: { top_p: 0.5 } }));
  expect(house.engines.calls('reader')[0]?.body).toMatchObject({ top_p: 0.5 });
  expect(house.engines.calls('spare')[0]?.body).not.toHaveProperty('top_p');
  expect(body.warnings?.join(' ')).toMatch(/native_settings/);
  expect(body.applied_settings).not.toHaveProperty('native');
});

it('takes the next best engine while the best is switched off', async () => {
  const { caller } = await house.account();
  await house.admin.setEngineEnabled('spare', false);
  try {
    const { body } = await untilUsed(async () => {
      house.engines.script('reader', refuses('No.'));
      return caller.ocr(await similar());
    });
    expect(body.engine).toBe('weaker');
  } finally {
    await house.admin.setEngineEnabled('spare', true);
  }
});

describe('when nothing comes of it, the request is refunded and its key bound', () => {
  const FAULTS: Record<string, EngineAnswer> = { refusal: refuses('No.'), 'temporary error': fails(500, 'oops') };

  it.each(Object.entries(FAULTS))('after a %s without a comparable engine', async (_name, answer) => {
    const { caller } = await house.account();
    house.engines.script('lonely', answer);
    const request = await similar('lonely');
    const { status, body } = await caller.ocr(request, { key: 'k' });
    expect([status, body.status, body.engine]).toEqual([202, 'refunded', 'lonely']);
    expect(body.provider_error).toMatch(/comparable engine/i);
    expect(body.metadata ?? {}).not.toHaveProperty('fallback');
    expect((await caller.ocr(request, { key: 'k' })).body).toEqual(body);
    expect(house.engines.calls('lonely')).toHaveLength(1);
  });

  it('after a time-out without a comparable engine', async () => {
    const { caller } = await house.account();
    house.engines.script('lonely', silence);
    const { status, body } = await caller.ocr(await similar('lonely'));
    expect([status, body.status]).toEqual([202, 'refunded']);
  });

  it.each([
    ['refuses', refuses('No.'), 0.008],
    ['fails', fails(503, 'later'), 0.004],
  ] as const)('after a second attempt that %s, both at cost', async (_name, answer, charge) => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', refuses('First.'));
    house.engines.script('spare', answer);
    const { status, body } = await caller.ocr(await similar());
    expect([status, body.status, body.engine, body.cost_debited]).toEqual([202, 'refunded', 'reader', charge]);
    expect(body.provider_error).toMatch(/First\..*spare/);
    expect(house.engines.calls('weaker')).toHaveLength(0);
    await expectBalance(house, accountId, 1 - charge);
  });
});

it.each([
  ['cut short', cutsShort('as far as')],
  ['an error of the configuration', fails(401, 'bad key')],
] as const)('is not for a text that was %s', async (_name, answer) => {
  const { caller } = await house.account();
  house.engines.script('reader', answer);
  await caller.ocr(await similar());
  expect(house.engines.calls('spare')).toHaveLength(0);
});

it('names the engine that would have been used when it was not asked for', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', refuses('No.'));
  const { body } = await caller.ocr(await pictureBody());
  expect(body.provider_error).toMatch(/spare/);
  expect(house.engines.calls('spare')).toHaveLength(0);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

/** The switch is felt within a second. */
async function untilUsed<T extends { body: { engine: string } }>(call: () => Promise<T>): Promise<T> {
  for (let n = 0; n < 100; n++) {
    const answer = await call();
    if (answer.body.engine !== 'spare') return answer;
  }
  throw new Error('the engine that is switched off was still used');
}
