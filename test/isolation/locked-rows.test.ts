import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { DatabaseProxy } from '../house/database-proxy.ts';
import { says } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { makeGate } from '../house/gate.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { standingTransaction } from '../house/standing-transaction.ts';
import { until } from '../house/until.ts';
import { within } from '../house/within.ts';

const proxy = await DatabaseProxy.open();
const NARROW = 4;
const house = await openHouse({ proxy, engines: { reader: {}, narrow: { concurrency: NARROW } } });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

/** Many times what a call takes on a busy machine; a lock stands until its test has ended, whatever comes first. */
const HELD_UP_MS = 20_000;

/** The replies, once all of them are there; a call that is held up fails the test. */
async function answered(who: HouseAccount, count: number) {
  const bodies = await Promise.all(Array.from({ length: count }, () => pictureBody()));
  return others(Promise.all(bodies.map((body) => who.caller.ocr(body))));
}

/** What those are answered whom no lock concerns; throws where they are held up. */
function others<T>(replies: Promise<T>): Promise<T> {
  return within('the others are answered', replies, HELD_UP_MS);
}

it('a wallet that stands locked makes its own account wait, and nobody else', async () => {
  const [held, other] = await Promise.all([house.account(), house.account()]);
  const waiting: Promise<{ status: number }>[] = [];
  {
    await using _locked = await standingTransaction(
      house.databaseUrl,
      `select 1 from wallet where account_id = '${held.accountId}' for update`,
    );
    for (let i = 0; i < 40; i++) waiting.push(held.caller.ocr(await pictureBody()));
    await until('the locked account is met', () => proxy.seen('accept-requests') > 3);
    const replies = await answered(other, 30);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect((await house.stranger.get('/readyz')).status).toBe(200);
    const before = proxy.seen('accept-requests');
    await answered(other, 1);
    // Forty that wait ask as one: they do not crowd out what others send.
    expect(proxy.seen('accept-requests') - before).toBeLessThan(40);
  }
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  await expectBalance(house, held.accountId, 10 - 40 * 0.01);
});

it('who waits for a locked wallet takes no place at an engine', async () => {
  const [held, other] = await Promise.all([house.account(), house.account()]);
  const bodies = await Promise.all(Array.from({ length: 2 * NARROW }, () => pictureBody('narrow')));
  const waiting: Promise<{ status: number }>[] = [];
  {
    await using _locked = await standingTransaction(
      house.databaseUrl,
      `select 1 from wallet where account_id = '${held.accountId}' for update`,
    );
    const before = proxy.seen('accept-requests');
    for (const body of bodies) waiting.push(held.caller.ocr(body));
    await until('the locked account is met', () => proxy.seen('accept-requests') > before + 2);
    expect(await others(other.caller.ocr(await pictureBody('narrow')))).toMatchObject({ status: 200 });
  }
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  expect(house.engines.mostAtOnce('narrow')).toBeLessThanOrEqual(NARROW);
  await expectBalance(house, held.accountId, 10 - 2 * NARROW * 0.01);
});

it('a wallet that is locked while readings are settled delays its own account only', async () => {
  const [held, other] = await Promise.all([house.account(), house.account()]);
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('text');
  });
  const [mine, theirs] = await Promise.all([pictureBody(), pictureBody()]);
  const waiting = held.caller.ocr(mine);
  const running = other.caller.ocr(theirs);
  await house.engines.called('reader', 2);
  {
    await using _locked = await standingTransaction(
      house.databaseUrl,
      `select 1 from wallet where account_id = '${held.accountId}' for update`,
    );
    gate.open();
    expect(await others(running)).toMatchObject({ status: 200 });
  }
  expect((await waiting).status).toBe(200);
});

it('a request that stands locked is settled later, those beside it at once', async () => {
  const [held, other] = await Promise.all([house.account(), house.account()]);
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('text');
  });
  const waiting = held.caller.ocr(await pictureBody());
  const running = other.caller.ocr(await pictureBody());
  await house.engines.called('reader', 2);
  {
    await using _locked = await standingTransaction(
      house.databaseUrl,
      `select 1 from ocr_request where account_id = '${held.accountId}' for update`,
    );
    gate.open();
    expect(await others(running)).toMatchObject({ status: 200 });
  }
  expect((await waiting).status).toBe(200);
  expect(house.engines.calls('reader')).toHaveLength(2);
});

it('a connection that falls silent is given up, and its statement is made again on another', async () => {
  const { accountId, caller } = await house.account();
  await caller.ocr(await pictureBody());
  const silence = proxy.trap('accept-requests', 'silence');
  const calls = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const body = await pictureBody();
      return caller.ocr(body);
    }),
  ).catch((error: Error) => error);
  expect(silence.struck).toBe(1);
  if (calls instanceof Error) throw calls;
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
  await expectBalance(house, accountId, 10 - 11 * 0.01);
});

it.each([
  ['accept-requests', 'accepts'],
  ['settle-requests', 'ends'],
])('others go by other connections while the one (%s) that %s requests is silent', async (statement) => {
  const [held, other] = await Promise.all([house.account({ tier: 'scale' }), house.account({ tier: 'scale' })]);
  await Promise.all([held.caller.ocr(await pictureBody()), other.caller.ocr(await pictureBody())]);
  const silence = proxy.trap(statement, 'silence');
  let heldReply: { status: number } | undefined;
  const waiting = held.caller.ocr(await pictureBody()).then((reply) => {
    heldReply = reply;
  });
  await silence.strikes();
  const replies: { status: number; ms: number }[] = [];
  for (let i = 0; i < 40; i++) {
    const body = await pictureBody();
    const sent = performance.now();
    void other.caller.ocr(body).then(({ status }) => replies.push({ status, ms: performance.now() - sent }));
    await sleep(50);
  }
  await until('the others are answered', () => replies.length === 40);
  expect(Math.max(...replies.map(({ ms }) => ms))).toBeLessThan(5000); // a silent one is given up after ten seconds
  expect(heldReply).toBeUndefined();
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  await waiting;
  expect(heldReply?.status).toBe(200);
  expect(silence.struck).toBe(1);
  await expectBalance(house, held.accountId, 10 - 2 * 0.01);
  await expectBalance(house, other.accountId, 10 - 41 * 0.01);
});

it.each([
  ['find-keys', 'finds who calls'],
  ['rate-count', 'counts a call'],
])('others go by other connections while the one (%s) that %s is silent, too', async (statement) => {
  const [held, other] = await Promise.all([house.account({ tier: 'scale' }), house.account({ tier: 'scale' })]);
  const silence = proxy.trap(statement, 'silence');
  let isAnswered = false;
  const waiting = held.caller.get('/v1/usage').finally(() => {
    isAnswered = true;
  });
  await silence.strikes();
  for (let i = 0; i < 10; i++) expect((await other.caller.get('/v1/usage')).status).toBe(200);
  expect(isAnswered).toBe(false); // it is given up after ten seconds, and made again
  expect((await waiting).status).toBe(200);
});

it.each([
  ['find-keys', 'finds who calls'],
  ['rate-count', 'counts a call'],
  ['request-id-by-key', 'looks for the request of a key'],
  ['requests-by-id', 'reads a request'],
])('so is the one (%s) that %s', async (statement) => {
  const { caller } = await house.account({ tier: 'scale' });
  const body = ocrBody('reader', makePdf([{ text: 'a page' }]));
  const { body: read } = await caller.ocr(body);
  const silence = proxy.trap(statement, 'silence');
  const calls: Promise<{ status: number }>[] = [];
  await until('it is met', () => {
    // a key is believed for a while
    calls.push(caller.ocr(body), caller.get(`/v1/ocr/${read.request_id}`));
    return silence.struck > 0;
  });
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
});

it('/readyz is red while a statement waits longer than it should, and green again afterwards', async () => {
  const { caller } = await house.account();
  const silence = proxy.trap('accept-requests', 'silence');
  const reply = caller.ocr(await pictureBody());
  await silence.strikes();
  // Nothing else is wrong: the database answers whoever asks.
  await until('/readyz is red while others are served', async () => {
    const [ready, read] = await Promise.all([house.stranger.get('/readyz'), caller.get('/v1/ocr/ocr_unknown')]);
    return ready.status === 503 && read.status === 404;
  });
  expect((await house.stranger.get('/livez')).status).toBe(200);
  expect((await reply).status).toBe(200);
  await until('/readyz is green', async () => (await house.stranger.get('/readyz')).status === 200);
});

it('a deletion goes on once what it deletes is not locked any more', async () => {
  const { caller } = await house.account();
  const { request_id: id } = (await caller.ocr(await pictureBody())).body;
  const before = proxy.seen('request-delete');
  let status = 0;
  {
    await using _held = await standingTransaction(
      house.databaseUrl,
      `select 1 from ocr_page where request_id = '${id}' for update`,
    );
    void caller.call('DELETE', `/v1/ocr/${id}`).then((reply) => {
      status = reply.status;
    });
    // The database lets no statement wait for a lock for longer than three seconds.
    await until('it is tried again, or is answered', () => status > 0 || proxy.seen('request-delete') > before + 1);
  }
  await until('it is answered', () => status > 0);
  expect(status).toBe(204);
});
