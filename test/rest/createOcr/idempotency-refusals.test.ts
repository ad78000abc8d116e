import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from '../../house/caller.ts';
import { DatabaseProxy } from '../../house/database-proxy.ts';
import { says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { LOOPBACK_ALLOWED, openHouse, openOwnHouse } from '../../house/house.ts';
import { listen } from '../../house/listen.ts';
import { pictureBody, urlBody } from '../../house/ocr-body.ts';
import { startProduct } from '../../house/product.ts';
import { readSql } from '../../house/sql.ts';
import { standingTransaction } from '../../house/standing-transaction.ts';
import { until } from '../../house/until.ts';

const ENGINES = { reader: {}, single: { concurrency: 1 }, double: { concurrency: 2 } };
const ASYNC = { mode: 'async' };
const TIME = { SYNC_LIMIT_MS: '4000' };

const proxy = await DatabaseProxy.open();
const house = await openHouse({ proxy, engines: ENGINES, env: { MAX_QUEUED: '2', ...LOOPBACK_ALLOWED } });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

describe('a bound key replays whatever refuses new work', () => {
  it('a full queue', async () => {
    const { caller } = await house.account();
    const finished = await pictureBody('single');
    const first = await caller.ocr(finished, { key: 'finished' });
    const gate = makeGate();
    house.engines.script('single', async () => {
      await gate.opened;
      return says('text');
    });
    const running = await pictureBody('single', ASYNC);
    const { body: accepted } = await caller.ocr(running, { key: 'running' });
    await house.engines.called('single');
    const full = await until('the queue is full', async () => {
      const reply = await caller.ocr(await pictureBody('single', ASYNC));
      return reply.status === 503 && reply;
    });
    expectError(full, 503, 'engine_unavailable');
    const replay = await caller.ocr(finished, { key: 'finished' });
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(replay.body).toMatchObject({ request_id: first.body.request_id, extracted_text: 'read by single' });
    const again = await caller.ocr(running, { key: 'running' });
    expect([again.status, again.body.request_id]).toEqual([202, accepted.request_id]);
    expectError(await caller.ocr(await pictureBody('single'), { key: 'finished' }), 409, 'idempotency_key_reused');
    gate.open();
  });

  it('a full queue that is met while the wallet is locked', async () => {
    const [{ accountId, caller }, other] = await Promise.all([house.account(), house.account()]);
    const body = await pictureBody('reader');
    const { body: first } = await caller.ocr(body, { key: 'k' });
    const gate = makeGate();
    let running = 0;
    house.engines.script('single', async () => {
      running++;
      await gate.opened;
      return says('text');
    });
    await until('the queue is full', async () => {
      await other.caller.ocr(await pictureBody('single', ASYNC));
      const queued = await readSql(house.databaseUrl, 'select 1 from queued_request');
      return running === 1 && queued.length === 2;
    });
    {
      await using _locked = await standingTransaction(
        house.databaseUrl,
        `select 1 from wallet where account_id = '${accountId}' for update`,
      );
      expectError(await caller.ocr(await pictureBody('reader'), { key: 'new' }), 503, 'engine_unavailable');
      const replay = await caller.ocr(body, { key: 'k' });
      expect([replay.status, replay.body.request_id], replay.text).toEqual([200, first.request_id]);
    }
    gate.open();
  });

  it('memory that is short', async () => {
    const { apiKey, caller } = await house.account();
    const body = await pictureBody();
    const { body: first } = await caller.ocr(body, { key: 'k' });
    await using short = await startProduct({
      databaseUrl: house.databaseUrl,
      engines: [house.engines.entry('reader')],
      env: { MAX_MEMORY_MB: '64' },
    });
    const late = new Caller(short.url, apiKey);
    const refused = await until('memory is short', async () => {
      const reply = await late.ocr(await pictureBody());
      return reply.status === 503 && reply;
    });
    expectError(refused, 503, 'engine_unavailable');
    const replay = await late.ocr(body, { key: 'k' });
    expect([replay.status, replay.body.request_id], replay.text).toEqual([200, first.request_id]);
  });

  it('history that was switched off since: with a warning and without text', async () => {
    const { accountId, caller } = await house.account();
    const body = await pictureBody('reader', ASYNC);
    const { body: accepted } = await caller.ocr(body, { key: 'k' });
    await until('it is read', async () => (await caller.get(accepted.poll_url ?? '')).body.status === 'succeeded');
    await house.admin.setHistory(accountId, false);
    const refused = await until('it is felt', async () => {
      const reply = await caller.ocr(await pictureBody('reader', ASYNC));
      return reply.status === 400 && reply;
    });
    expectError(refused, 400, 'history_disabled');
    const replay = await caller.ocr(body, { key: 'k' });
    expect(replay.status, replay.text).toBe(200);
    expect(replay.body).toMatchObject({ request_id: accepted.request_id, status: 'succeeded', extracted_text: null });
    expect(replay.body.warning).toMatch(/retained/i);
  });
});

it('a call that waits for a request of its key takes no place of the engine', async () => {
  const { accountId, caller } = await house.account();
  const gate = makeGate();
  house.engines.script('double', async () => {
    await gate.opened;
    return says('text');
  });
  const body = await pictureBody('double');
  const calls = [caller.ocr(body, { key: 'k' })];
  await house.engines.called('double');
  calls.push(caller.ocr(body, { key: 'k' }));
  const kept = `select 1 from stored_document d join ocr_request r on r.id = d.request_id where r.account_id = '${accountId}'`;
  await until('the second call has found the first', async () => (await readSql(house.databaseUrl, kept)).length === 1);
  calls.push(caller.ocr(await pictureBody('double')));
  await house.engines.called('double', 2);
  gate.open();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

it('a call that meets a request which ends by an error before it is looked at is told that error', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  await using web = await listen(async (_request, response) => {
    await gate.opened;
    response.writeHead(404).end();
  });
  const body = urlBody('reader', `${web.url}/gone.png`);
  const first = caller.ocr(body, { key: 'k' });
  await until('its document is fetched', () => web.hits > 0);
  const held = proxy.trap('requests-by-id', 'hold', { times: 100 });
  const second = caller.ocr(body, { key: 'k' });
  await until('the second call has met it', () => proxy.seen('accept-requests-again') > 0);
  gate.open();
  const told = await first;
  held.release();
  expectError(told, 422, 'unprocessable_entity');
  expectError(await second, 422, 'unprocessable_entity');
  await expectBalance(house, accountId, 1);
  expect(web.hits).toBe(1);
});

it('a queued request whose process died before its time was over was not reached: its key is free', async () => {
  await using mortal = await openOwnHouse({ engines: ENGINES, env: TIME });
  const { accountId, apiKey, caller } = await mortal.account({ credit: 1 });
  mortal.engines.script('single', () => new Promise(() => {}));
  const ahead = caller.ocr(await pictureBody('single', ASYNC)).catch(() => null);
  await mortal.engines.called('single');
  const body = await pictureBody('single');
  const lost = caller.ocr(body, { key: 'k' }).catch(() => null);
  await until('it waits', async () => (await mortal.admin.showAccount(accountId)).held_usd === 0.02);
  await mortal.product.kill();
  await Promise.all([ahead, lost]);
  mortal.engines.script('single', says('text'));
  const over = Date.now() + 4000;
  await until('its time is over', () => Date.now() > over);
  const engines = [mortal.engines.entry('single', ENGINES.single)];
  await using product = await hostProduct({ databaseUrl: mortal.databaseUrl, engines, env: TIME });
  await until('all have ended', async () => (await mortal.admin.showAccount(accountId)).held_usd === 0);
  await expectBalance(mortal, accountId, 0.99); // the asynchronous one was read
  const again = await new Caller(product.url, apiKey).ocr(body, { key: 'k' });
  expect([again.status, again.body.extracted_text]).toEqual([200, 'text']);
});
