import { once } from 'node:events';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorAnswer, OcrAnswer } from '../../house/answers.ts';
import type { OpenReply, Reply } from '../../house/caller.ts';
import { type EngineAnswer, fails, refuses, says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

const SLOW = { SLOW_RESPONSE_MS: '1000', SLOW_RESPONSE_BEAT_MS: '100' };
const house = await openHouse({ env: SLOW });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

/** Sends a request whose engine answers only after the headers, and one space of the body, have come. */
async function readSlowly<T = OcrAnswer>(answer: EngineAnswer, key = crypto.randomUUID()) {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return answer;
  });
  const body = await pictureBody();
  const head: OpenReply = await caller.openOcr(body, { key });
  await once(head.stream, 'readable');
  gate.open();
  const reply: Reply<T> = await head.finish<T>();
  return { accountId, caller, reply, again: () => caller.ocr(body, { key }) };
}

describe('a slow response committed early', () => {
  it('is HTTP 202 with the status and the code that it would have had in the body', async () => {
    const { accountId, reply } = await readSlowly(says('late but there'));
    expect(reply.status).toBe(202);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(reply.body).toMatchObject({
      status: 'succeeded',
      http_status: 200,
      extracted_text: 'late but there',
      cost_debited: 0.01,
    });
    await expectBalance(house, accountId, 0.99);
  });

  it('sends X-Request-Id before the body, and spaces while it waits', async () => {
    const { reply } = await readSlowly(says('late'));
    expect(reply.headers['x-request-id']).toBe(reply.body.request_id);
    expect(reply.text).toMatch(/^ +\{/);
  });

  it('tells of a refusal', async () => {
    const { reply } = await readSlowly(refuses('No.'));
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ status: 'refunded', http_status: 202, cost_debited: 0.004 });
  });

  it('tells of an error by the envelope, with http_status beside it', async () => {
    const { accountId, reply } = await readSlowly<ErrorAnswer>(fails(500, 'broken'));
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ error: { code: 'provider_error' }, http_status: 502 });
    await expectBalance(house, accountId, 1);
  });

  it('replays as 200, without http_status', async () => {
    const { again, reply } = await readSlowly(says('late'));
    const replay = await again();
    expect(replay.status).toBe(200);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.body).toMatchObject({ request_id: reply.body.request_id, extracted_text: 'late' });
    expect(replay.body).not.toHaveProperty('http_status');
  });
});

it('a request that joins a running one has its text, even if history is turned off meanwhile', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read for two');
  });
  const body = await pictureBody();
  const first = await caller.openOcr(body, { key: 'shared' });
  const joined = await caller.openOcr(body, { key: 'shared' }); // committed: it waits for the outcome
  await house.admin.setHistory(accountId, false);
  gate.open();
  const texts = [(await first.finish()).body.extracted_text, (await joined.finish()).body.extracted_text];
  expect(texts).toEqual(['read for two', 'read for two']);
  expect(joined.headers['x-request-id']).toBe(first.headers['x-request-id']);
  expect(house.engines.calls('reader')).toHaveLength(1);
  await expectBalance(house, accountId, 0.99);
});

it.each(['text', 'markdown'])('never commits early for %s', async (output_format) => {
  const { caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('worth waiting for');
  });
  const json = caller.openOcr(await pictureBody());
  const answered = caller.ocr(await pictureBody('reader', { output_format }));
  await house.engines.called('reader', 2);
  expect((await json).status).toBe(202); // the point at which a JSON answer commits has passed
  gate.open();
  const reply = await answered;
  expect(reply.status).toBe(200);
  expect(reply.text).toMatch(/worth waiting for$/);
  await (await json).finish();
});

it('is not needed by an answer that is quick', async () => {
  const { caller } = await house.account();
  const reply = await caller.ocr(await pictureBody());
  expect(reply.status).toBe(200);
  expect(reply.text).toMatch(/^\{/);
});

it('can be read while it runs, and after', async () => {
  const { caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read at last');
  });
  const head = await caller.openOcr(await pictureBody());
  const path = `/v1/ocr/${head.headers['x-request-id']}`;
  const running = await caller.get(path);
  expect(running.status).toBe(200);
  expect(['queued', 'processing']).toContain(running.body.status);
  expect(running.body.cost_debited).toBe(0);
  gate.open();
  await head.finish();
  const finished = await until('it is done', async () => {
    const { body } = await caller.get(path);
    return body.status === 'succeeded' && body;
  });
  expect(finished.extracted_text).toBe('read at last');
});
