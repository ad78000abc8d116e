import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OcrAnswer } from '../../house/answers.ts';
import type { Reply } from '../../house/caller.ts';
import { says, silence } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

const engines = {
  reader: {},
  unpriced: { provider_cost_per_page_usd: null },
  quick: {},
  walled: {},
  hasty: { timeout_ms: 300 },
};
const house = await openHouse({ engines, env: { ENGINE_LIMIT_MS: '700' } });
const walled = await openHouse({ engines, env: { SYNC_LIMIT_MS: '700' } });
const committing = await openHouse({ engines, env: { ENGINE_LIMIT_MS: '1500', SLOW_RESPONSE_MS: '300' } });
afterAll(async () => {
  for (const one of [house, walled, committing]) await one[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

function expectTimeout({ status, headers, body }: Reply<OcrAnswer>): void {
  expect(status).toBe(503);
  expect(body.status).toBe('timeout');
  expect(body.request_id).toMatch(/^ocr_/);
  expect(body.provider_error).toMatch(/\S/);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(body.retry_after_seconds).toBe(Number(headers['retry-after']));
}

describe('an engine that does not answer within its limit', () => {
  it('ends as timeout, charged at the provider’s cost where that is known', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', silence);
    const reply = await caller.ocr(await pictureBody());
    expectTimeout(reply);
    expect(reply.body.cost_debited).toBe(0.004);
    await expectBalance(house, accountId, 0.996);
  });

  it('costs nothing as long as the provider’s cost is not known', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('unpriced', silence);
    const reply = await caller.ocr(await pictureBody('unpriced'));
    expectTimeout(reply);
    expect(reply.body.cost_debited).toBe(0);
    await expectBalance(house, accountId, 1);
  });

  it('is really stopped: it sees the connection closed', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', silence);
    await caller.ocr(await pictureBody());
    await until('the engine sees it', () => house.engines.calls('reader')[0]?.aborted);
  });

  it('is the same 503 for that key for ever, while a new key is a new attempt', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', silence);
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'slow' });
    house.engines.script('reader', says('now it would'));
    for (const _ of [1, 2]) {
      const replay = await caller.ocr(body, { key: 'slow' });
      expectTimeout(replay);
      expect(replay.headers['idempotent-replayed']).toBe('true');
      expect(replay.body.request_id).toBe(first.body.request_id);
    }
    expect(house.engines.calls('reader')).toHaveLength(1);
    expect((await caller.ocr(body, { key: 'another' })).body.extracted_text).toBe('now it would');
    await expectBalance(house, accountId, 0.986);
  });

  it('is failed when read by GET', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', silence);
    const { body } = await caller.ocr(await pictureBody());
    const read = await caller.get(`/v1/ocr/${body.request_id}`);
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({ status: 'failed', cost_debited: 0.004 });
    expect(read.body.provider_error).toMatch(/\S/);
  });
});

it('a synchronous request that reaches its wall time while its engine runs', async () => {
  const { caller } = await walled.account();
  walled.engines.script('walled', silence);
  expectTimeout(await caller.ocr(await pictureBody('walled')));
  await until('the engine sees it', () => walled.engines.calls('walled')[0]?.aborted);
});

it('an engine whose own limit is shorter than the service’s', async () => {
  const { caller } = await committing.account();
  committing.engines.script('hasty', silence);
  expectTimeout(await caller.ocr(await pictureBody('hasty', { output_format: 'text' })));
  await until('the engine sees it', () => committing.engines.calls('hasty')[0]?.aborted);
});

it('is told in the body when the answer was committed before', async () => {
  const { caller } = await committing.account();
  committing.engines.script('reader', silence);
  const { status, body } = await caller.ocr(await pictureBody());
  expect(status).toBe(202);
  expect(body).toMatchObject({ status: 'timeout', http_status: 503, retry_after_seconds: expect.any(Number) });
});

it('does not concern an engine that answers in time', async () => {
  const { caller } = await house.account();
  expect((await caller.ocr(await pictureBody('quick'))).status).toBe(200);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});
