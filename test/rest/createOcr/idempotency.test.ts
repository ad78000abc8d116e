import { beforeEach, describe, expect, it } from 'vitest';
import { cutsShort, refuses, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { runSql } from '../../house/sql.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

it('rule 1: the key is required', async () => {
  const { caller } = await house.account();
  expectError(await caller.ocr(await pictureBody(), { key: null }), 400, 'invalid_request', /Idempotency-Key/i);
});

describe('rule 2: the same key with the same request', () => {
  it('replays the original outcome, processed and billed once', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const body = await pictureBody();
    house.engines.script('reader', (_call, nth) => says(`reading ${nth}`));
    const first = await caller.ocr(body, { key: 'k' });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const second = await caller.ocr(body, { key: 'k' });
    expect(second.status).toBe(200);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 0.99);
  });

  it('joins the request that still runs: 20 at once are one engine call and one charge', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return says('read once');
    });
    const body = await pictureBody();
    const first = caller.ocr(body, { key: 'k' });
    await house.engines.called('reader');
    const others = Array.from({ length: 19 }, () => caller.ocr(body, { key: 'k' }));
    await caller.get('/v1/usage'); // by now the others are on their way
    gate.open();
    const replies = await Promise.all([first, ...others]);
    for (const { status, body: result } of replies) {
      expect(status).toBe(200);
      expect(result).toMatchObject({ status: 'succeeded', extracted_text: 'read once', cost_debited: 0.01 });
    }
    expect(new Set(replies.map(({ body: result }) => result.request_id)).size).toBe(1);
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 0.99);
  });

  it('is accepted once when all come at the same moment', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const body = await pictureBody();
    const replies = await Promise.all(Array.from({ length: 20 }, () => caller.ocr(body, { key: 'k' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map((reply) => reply.body.request_id)).size).toBe(1);
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 0.99);
  });

  it('replays for another key of the same account', async () => {
    const { accountId, caller } = await house.account();
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    const { api_key } = await house.admin.createKey({ accountId });
    const second = await house.callerWith(api_key).ocr(body, { key: 'k' });
    expect(second.body.request_id).toBe(first.body.request_id);
  });

  it('replays text and markdown as text', async () => {
    const { caller } = await house.account();
    const body = await pictureBody('reader', { output_format: 'text' });
    const first = await caller.ocr(body, { key: 'k' });
    const second = await caller.ocr(body, { key: 'k' });
    expect(second.headers['content-type']).toMatch(/^text\/plain/);
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-ocr-pages': '1' });
    expect(second.text).toBe(first.text);
  });
});

it('rule 4: the same key with another request is 409', async () => {
  const { caller } = await house.account();
  await caller.ocr(await pictureBody(), { key: 'k' });
  expectError(await caller.ocr(await pictureBody(), { key: 'k' }), 409, 'idempotency_key_reused');
});

it('rule 5: a request first stored before 2026-09-29 has no fingerprint and replays even when changed', async () => {
  const { caller } = await house.account();
  const first = await caller.ocr(await pictureBody(), { key: 'k' });
  const old = `update ocr_request set fingerprint = null, created_at = '2026-09-28T12:00:00Z' where id = $1`;
  expect(await runSql(house.product.databaseUrl, old, [first.body.request_id])).toBe(1);
  const { status, headers, body } = await caller.ocr(await pictureBody(), { key: 'k' });
  expect(status).toBe(200);
  expect(headers['idempotent-replayed']).toBe('true');
  expect(body.request_id).toBe(first.body.request_id);
});

describe('rule 7: a replay has the outcome’s normal code and status', () => {
  it('refunded is 202 again', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', refuses('No.'));
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    house.engines.script('reader', says('it would work now'));
    const replay = await caller.ocr(body, { key: 'k' });
    expect(replay.status).toBe(202);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.body).toEqual(first.body);
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 0.996);
  });

  it('partial is 200 again', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', cutsShort('As far as it'));
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    const replay = await caller.ocr(body, { key: 'k' });
    expect(replay.status).toBe(200);
    expect(replay.body).toEqual(first.body);
    expect(replay.body.status).toBe('partial');
  });
});
