import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../house/database-proxy.ts';
import { says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { makeGate } from '../house/gate.ts';
import { openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture, pictureAs } from '../house/pictures.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const proxy = await DatabaseProxy.open();
const house = await openHouse({
  proxy,
  engines: { reader: {}, single: { concurrency: 1 }, long: { max_pages_per_request: 50 } },
  env: { SLOW_RESPONSE_MS: '120000' },
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

describe('an acceptance whose answer is lost', () => {
  it('goes on as if it had arrived: one reading, one charge, the text', async () => {
    const { accountId, caller } = await house.account();
    const lost = proxy.trap('accept-requests', 'lose-reply');
    const { status, body } = await caller.ocr(await pictureBody());
    expect(lost.struck).toBe(1);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'succeeded', extracted_text: 'read by reader' });
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 9.99);
  });

  it('of an asynchronous request answers 202', async () => {
    const { accountId, caller } = await house.account();
    const lost = proxy.trap('accept-requests', 'lose-reply');
    const { status, body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    expect(lost.struck).toBe(1);
    expect(status, JSON.stringify(body)).toBe(202);
    await until('it is read', async () => (await caller.get(body.poll_url ?? '')).body.status === 'succeeded');
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 9.99);
  });

  it('of a large job, which looks nothing up after it, answers 202', async () => {
    const { caller } = await house.account();
    const jpeg = await pictureAs('jpeg');
    const pages = Array.from({ length: 22 }, () => ({
      size: [100, 80] as const,
      picture: { jpeg, width: 64, height: 48 },
    }));
    const gate = makeGate();
    house.engines.script('long', async () => {
      await gate.opened;
      return says('text');
    });
    const lost = proxy.trap('accept-requests', 'lose-reply');
    const looked = proxy.trap('job-pages-progress', 'lose-reply', { times: 9 });
    const settings = { mode: 'async', page_count: 22, settings: { dpi: 72 } };
    const { status, body } = await caller.ocr(ocrBody('long', makePdf(pages), settings));
    expect([status, lost.struck, looked.struck], JSON.stringify(body)).toEqual([202, 1, 0]);
    looked.release();
    gate.open();
    await until('it is read', async () => (await caller.get(body.poll_url ?? '')).body.status === 'succeeded');
  });

  it('of a request that has to queue answers its outcome', async () => {
    const { accountId, caller } = await house.account();
    const gate = makeGate();
    house.engines.script('single', async () => {
      await gate.opened;
      return says('text');
    });
    const { body: ahead } = await caller.ocr(await pictureBody('single', { mode: 'async' }));
    await house.engines.called('single');
    const lost = proxy.trap('accept-requests', 'lose-reply');
    const queued = caller.ocr(await pictureBody('single'));
    await lost.strikes();
    gate.open();
    expect((await queued).status).toBe(200);
    await until('both are read', async () => (await caller.get(ahead.poll_url ?? '')).body.status === 'succeeded');
    expect(house.engines.calls('single')).toHaveLength(2);
    await expectBalance(house, accountId, 9.98);
  });

  it('of items of a batch, which have no key to ask again with, gives each its result', async () => {
    const { accountId, caller } = await house.account();
    const items = await Promise.all([1, 2, 3].map(async () => ocrBody('reader', await picture())));
    const lost = proxy.trap('accept-requests', 'lose-reply');
    const { status, body } = await caller.call<{ results: { status: string; extracted_text: string }[] }>(
      'POST',
      '/v1/ocr/batch',
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items }) },
    );
    expect(lost.struck).toBe(1);
    expect([status, body.results.map(({ status }) => status)]).toEqual([200, ['succeeded', 'succeeded', 'succeeded']]);
    expect(house.engines.calls('reader')).toHaveLength(3);
    await expectBalance(house, accountId, 9.97);
  });
});

describe('a settlement whose answer is lost', () => {
  it.each([true, false])('gives the caller the text from memory, history kept: %s', async (history) => {
    const { accountId, caller } = await house.account({ history });
    const lost = proxy.trap('settle-requests', 'lose-reply');
    const { status, body } = await caller.ocr(await pictureBody());
    expect(lost.struck).toBe(1);
    expect([status, body.extracted_text]).toEqual([200, 'read by reader']);
    expect(house.engines.calls('reader')).toHaveLength(1);
    await expectBalance(house, accountId, 9.99);
  });

  it.each([
    ['of an account without history', { history: false }, {}],
    ['that is to be kept nowhere', {}, { store: false }],
    ['with pages, of an account without history', { history: false }, { include: ['lines'] }],
  ])('gives the caller the text %s, though it looks into the database meanwhile', async (_, wish, fields) => {
    const { accountId, caller } = await house.account(wish);
    const statement = 'include' in fields ? 'settle-with-layouts' : 'settle-requests';
    const lost = proxy.trap(statement, 'lose-reply', { times: 5 }); // 1.5 seconds: a waiting call looks every second
    const { status, body } = await caller.ocr(await pictureBody('reader', fields));
    expect([status, body.status, body.extracted_text]).toEqual([200, 'succeeded', 'read by reader']);
    if ('include' in fields) expect(body.page_results).toHaveLength(1);
    expect(lost.struck).toBe(5);
    await expectBalance(house, accountId, 9.99);
  });
});

it('a repeat that comes while the first call is at work has its text, however long its document takes to be stored', async () => {
  const { accountId, caller } = await house.account({ history: false });
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('for both');
  });
  const body = await pictureBody();
  const first = caller.ocr(body, { key: 'k' });
  await house.engines.called('reader');
  await until('its document is stored', () => proxy.seen('document-keep') > 0);
  const stored = proxy.trap('document-keep', 'hold');
  const repeat = caller.ocr(body, { key: 'k' });
  await stored.strikes();
  gate.open();
  expect((await first).body.extracted_text).toBe('for both');
  stored.release();
  const { status, body: repeated } = await repeat;
  expect([status, repeated.extracted_text]).toEqual([200, 'for both']);
  await expectBalance(house, accountId, 9.99);
});

it('a database that stays away is 503, and what it had accepted by then is given back', async () => {
  const { accountId, caller } = await house.account();
  const lost = proxy.trap('accept-requests', 'lose-reply');
  const body = await pictureBody('reader', { mode: 'async' });
  const reply = caller.ocr(body, { key: 'k' });
  await lost.strikes();
  proxy.goAway();
  expectError(await reply, 503, 'engine_unavailable');
  proxy.comeBack();
  await until('its hold is given back', async () => (await house.admin.showAccount(accountId)).held_usd === 0);
  await expectBalance(house, accountId, 10);
  expect(house.engines.calls('reader')).toHaveLength(0);
  const again = await until('the key is free', async () => {
    const next = await caller.ocr(body, { key: 'k' });
    return next.status === 202 && next.body.status === 'processing' && next;
  });
  await until('it is read', async () => (await caller.get(again.body.poll_url ?? '')).body.status === 'succeeded');
  await expectBalance(house, accountId, 9.99);
  const open = await readSql(house.databaseUrl, 'select id from ocr_request where finished_at is null');
  expect(open).toEqual([]);
});

it('while the database is away nobody is told that a request costs nothing that is charged later', async () => {
  const { accountId, caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('text');
  });
  const { body: accepted } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
  await house.engines.called('reader');
  proxy.goAway();
  const query = JSON.stringify({ query: `{ request(id: "${accepted.request_id}") { status } }` });
  const seen = await Promise.all([
    caller.get(accepted.poll_url ?? ''),
    caller.call('POST', '/graphql', { headers: { 'content-type': 'application/json' }, body: query }),
  ]);
  proxy.comeBack();
  gate.open();
  await until('it is read', async () => (await caller.get(accepted.poll_url ?? '')).body.status === 'succeeded');
  await expectBalance(house, accountId, 9.99);
  expect(seen[0].status).toBe(500);
  for (const { text } of seen) {
    expect(text).toMatch(/internal_error/);
    expect(text).toMatch(/database/);
    expect(text).not.toMatch(/charged/);
  }
});
