import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../house/caller.ts';
import { fails, refuses, says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

const scored = (hard_score: number) => ({ benchmark: { hard_score, easy_score: 99, measured_at: '2026-11-01' } });
const house = await openHouse({
  engines: { reader: scored(80), spare: { ...scored(85), price_per_page_usd: 0.008 }, lonely: scored(20) },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const RETRYING = { mode: 'async', fallback: 'similar' };

function ended(caller: Caller, id: string) {
  return until('the request ends', async () => {
    const reply = await caller.get(`/v1/ocr/${id}`);
    return reply.status === 200 && !['queued', 'processing'].includes(reply.body.status) && reply.body;
  });
}

it('is one request: accepted once, retried, and charged once, never more than its own engine', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('reader', refuses('No.'));
  house.engines.script('spare', async () => {
    await gate.opened;
    return says('read by spare');
  });
  const request = await pictureBody('reader', RETRYING);
  const accepted = await caller.ocr(request, { key: 'k' });
  expect([accepted.status, accepted.body.status, accepted.body.engine]).toEqual([202, 'processing', 'reader']);
  await house.engines.called('spare');
  const running = await caller.get(`/v1/ocr/${accepted.body.request_id}`);
  expect(running.body).toMatchObject({ status: 'processing', cost_debited: 0 });
  gate.open();
  const result = await ended(caller, accepted.body.request_id);
  expect(result).toMatchObject({
    status: 'succeeded',
    engine: 'spare',
    extracted_text: 'read by spare',
    cost_debited: 0.01, // 0.004 of the refusal and 0.008 for the page, capped
    warning: expect.stringMatching(/reader.*spare/),
    metadata: {
      fallback: {
        requested_engine: 'reader',
        used_engine: 'spare',
        reason: expect.stringMatching(/No\./),
        attempts: [
          { engine: 'reader', outcome: 'refused', cost_usd: 0.004 },
          { engine: 'spare', outcome: 'ok', cost_usd: 0.006 },
        ],
      },
    },
  });
  const replay = await caller.ocr(request, { key: 'k' });
  expect(replay.status).toBe(200);
  expect(replay.body).toMatchObject({ engine: 'spare', extracted_text: 'read by spare', metadata: result.metadata });
  expect(house.engines.calls('reader')).toHaveLength(1);
  expect(house.engines.calls('spare')).toHaveLength(1);
  const usage = await caller.get('/v1/usage');
  expect(usage.body).toMatchObject({ total_requests: 1, total_pages: 1, total_spent_usd: 0.01 });
  await expectBalance(house, accountId, 0.99);
});

it.each([
  ['that fails, too', 'reader', fails(503, 'down'), /spare/],
  ['for which there is no engine', 'lonely', refuses('No.'), /comparable engine/i],
] as const)('a retry %s is failed on GET and refunded on a replay', async (_name, engine, answer, says) => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script(engine, refuses('No.'));
  house.engines.script('spare', answer);
  const request = await pictureBody(engine, RETRYING);
  const accepted = await caller.ocr(request, { key: 'k' });
  const result = await ended(caller, accepted.body.request_id);
  expect(result).toMatchObject({ status: 'failed', engine, cost_debited: 0.004 });
  expect(result.provider_error).toMatch(says);
  expect(result.metadata ?? {}).not.toHaveProperty('fallback');
  const replay = await caller.ocr(request, { key: 'k' });
  expect([replay.status, replay.body.status]).toEqual([202, 'refunded']);
  await expectBalance(house, accountId, 0.996);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});
