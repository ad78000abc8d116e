import { afterAll, describe, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import type { Reply } from '../house/caller.ts';
import { endlessTree } from '../house/endless-tree.ts';
import { expectError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { ask } from '../house/graphql.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { pictureAs } from '../house/pictures.ts';
import { until } from '../house/until.ts';

// No answer becomes a 202 while its document is still opened on a busy machine.
const house = await openHouse({ env: { CORES: '2', SLOW_RESPONSE_MS: '170000' } });
afterAll(() => house[Symbol.asyncDispose]());

const SLOW = endlessTree();

it('documents that take for ever cost their account the time, and another’s page is read between them', async () => {
  const [slow, quick] = await Promise.all([house.account({ credit: 1 }), house.account()]);
  let pending = 8;
  const answers = Array.from({ length: 8 }, async () => {
    const reply = await slow.caller.ocr(ocrBody('reader', SLOW));
    pending--;
    return reply;
  });
  const page = await quick.caller.ocr(ocrBody('reader', makePdf([{ text: 'one page' }])));
  expect(page.status).toBe(200);
  expect(pending).toBeGreaterThanOrEqual(4);
  for (const reply of await Promise.all(answers)) {
    if (reply.status === 503) expectError(reply, 503, 'engine_unavailable');
    else expectError(reply, 422, 'unprocessable_entity', /too long/);
  }
  await expectBalance(house, slow.accountId, 1);
});

it('who has no money has no document opened', async () => {
  const { caller } = await house.account({ credit: 0 });
  const replies = await Promise.all(Array.from({ length: 20 }, () => caller.ocr(ocrBody('reader', SLOW))));
  for (const reply of replies) expectError(reply, 402, 'insufficient_balance');
  const broken = (await pictureAs('png')).subarray(0, 60);
  expectError(await caller.ocr(ocrBody('reader', broken)), 402, 'insufficient_balance');
  const batch = { items: [ocrBody('reader', SLOW)] };
  const reply = await caller.call<{ results: { error: { code: string } }[] }>('POST', '/v1/ocr/batch', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  });
  expect(reply.body.results[0]?.error.code).toBe('insufficient_balance');
});

describe('documents that are opened without money are bounded, too', () => {
  type Door = (account: HouseAccount) => Promise<Reply<unknown>>;

  const estimate: Door = ({ caller }) =>
    caller.call('POST', '/v1/ocr/estimate', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ocrBody('reader', SLOW)),
    });
  const pagePicture: Door = async ({ accountId }) => {
    const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
    const browser = new Browser(house.product).take(cookie);
    const headers = { origin: browser.origin, 'content-type': 'application/pdf' };
    return browser.call('POST', '/api/page-picture', { headers, body: SLOW });
  };

  it.each([
    ['for an estimate', estimate],
    ['for a picture of a page', pagePicture],
  ])('%s', async (_name, open) => {
    const [penniless, quick] = await Promise.all([house.account({ credit: 0 }), house.account()]);
    let pending = 5;
    const answers = Array.from({ length: pending }, async () => {
      const reply = await open(penniless);
      pending--;
      return reply;
    });
    const page = await quick.caller.ocr(ocrBody('reader', makePdf([{ text: 'one page' }])));
    expect(page.status).toBe(200);
    expect(pending).toBeGreaterThanOrEqual(3);
    const replies = await Promise.all(answers);
    expect(replies.map(({ status }) => status)).toContain(422);
    for (const reply of replies) {
      if (reply.status === 503) expectError(reply, 503, 'engine_unavailable');
      else expectError(reply, 422, 'unprocessable_entity', /too long/);
    }
  });
});

describe('who leaves takes what it has sent out of the line', () => {
  interface Refused {
    readonly accountId: string;
    readonly code: string;
    readonly calls: number;
  }
  type Send = (account: HouseAccount, signal: AbortSignal) => Promise<Reply<unknown>>;

  const read: Send = ({ caller }, signal) => caller.ocr(ocrBody('reader', SLOW), { signal });
  const estimate: Send = ({ caller }, signal) =>
    caller.call('POST', '/v1/ocr/estimate', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ocrBody('reader', SLOW)),
      signal,
    });

  /** How many calls of an account were refused by each code, when all of them were. */
  async function refusals(accountId: string, all: number): Promise<Record<string, number>> {
    const { caller } = await house.account({ scopes: ['operator'] });
    return until('each of its calls has ended', async () => {
      const { data } = await ask<{ refusedCalls: Refused[] }>(caller, '{ refusedCalls { accountId code calls } }');
      const own = data.refusedCalls.filter((each) => each.accountId === accountId);
      return (
        own.reduce((sum, { calls }) => sum + calls, 0) === all &&
        Object.fromEntries(own.map(({ code, calls }) => [code, calls]))
      );
    });
  }

  // Somewhat more than an account may have waiting behind the one that is being opened.
  it.each([
    ['to be read', read, 36],
    ['for an estimate', estimate, 7],
  ])('%s', async (_name, send, most) => {
    const account = await house.account({ credit: 1 });
    const leaving = new AbortController();
    const answers = Array.from({ length: most }, () => send(account, leaving.signal));
    const left = Promise.allSettled(answers);
    const refused = answers.map(async (answer) => expectError(await answer, 503, 'engine_unavailable'));
    await Promise.any(refused); // the line is full
    leaving.abort();
    // Who has stayed would be told that its document takes too long, or that it has waited too long for those before it.
    const codes = await refusals(account.accountId, most);
    expect(codes, JSON.stringify(codes)).toMatchObject({ invalid_request: expect.toSatisfy((n) => n >= most / 2) });
    await left;
    const page = ocrBody('reader', makePdf([{ text: 'one page' }]));
    await until('the next page is read', async () => (await account.caller.ocr(page)).status === 200);
  });
});

it('a bound key is answered before money and document are looked at', async () => {
  const { caller } = await house.account({ credit: 0.01 });
  const body = ocrBody('reader', makePdf([{ text: 'read once' }]));
  expect((await caller.ocr(body, { key: 'once' })).status).toBe(200);
  const again = await caller.ocr(body, { key: 'once' });
  expect(again.status).toBe(200);
  expect(again.headers['idempotent-replayed']).toBe('true');
});
