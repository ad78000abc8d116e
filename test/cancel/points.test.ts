import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { says, silence } from '../house/engine-answers.ts';
import type { EngineCall } from '../house/engine-call.ts';
import { expectError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { ask } from '../house/graphql.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openOwnHouse } from '../house/house.ts';
import { ocrBody, pictureBody, urlBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { until } from '../house/until.ts';
import { cancel, openRequest, openRequests, refusal } from './cancel-request.ts';

const TOKENS = {
  token_prices: { input_per_million_usd: 1, output_per_million_usd: 1 },
  provider_cost_per_page_usd: null,
};
const house = await openOwnHouse({
  engines: {
    flat: { concurrency: 4 },
    tokens: { ...TOKENS, concurrency: 4 },
    local: { adapter: 'ollama', concurrency: 4, probe: false },
    narrow: { concurrency: 1 },
    whole: { native_pdf: true, concurrency: 1 },
  },
  env: LOOPBACK_ALLOWED,
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const ASYNC = { mode: 'async' };
const FIRST_WIDTH = 100;
/** Of 5 pages, each a point wider than the one before: an engine can tell which one it sees. */
const FIVE = makePdf(
  Array.from({ length: 5 }, (_, i) => ({ size: [FIRST_WIDTH + i + 1, 80] as const, text: `page ${i + 1}` })),
);
const FIVE_PAGES = { page_count: 5, settings: { dpi: 72 } };

async function send({ caller }: HouseAccount, body: object): Promise<string> {
  const reply = await caller.ocr(body);
  expect(reply.status).toBe(202);
  return reply.body.request_id;
}

async function closed(calls: readonly EngineCall[]): Promise<void> {
  await until('the provider sees its connections closed', () => calls.every(({ aborted }) => aborted));
}

describe.each([
  // What a provider takes for a page is known of the first, nothing of the second, and the third is our own.
  { engine: 'flat', cost: 0.004, billing: 'settled' },
  { engine: 'tokens', cost: 0, billing: 'pending' },
  { engine: 'local', cost: 0, billing: 'none' },
])('on the engine $engine', ({ engine, cost, billing }) => {
  it('stops a call in flight, charges what its provider bills and frees the place', async () => {
    const account = await house.account();
    const others = await house.account();
    const next = engine === 'local' ? ollamaSays('the next one') : says('the next one');
    house.engines.script(engine, (_call, nth) => (nth <= 4 ? silence : next));
    const id = await send(account, await pictureBody(engine, ASYNC));
    const calls = await house.engines.called(engine);
    // With three others all four places are taken: the next one is called when one of them is free.
    for (let i = 0; i < 3; i++) await send(others, await pictureBody(engine, ASYNC));
    await house.engines.called(engine, 4);
    const waiting = others.caller.ocr(await pictureBody(engine));
    const ended = await cancel(account, id);
    expect(ended).toMatchObject({ status: 'failed', outcome: 'refunded', cost, providerError: expect.any(String) });
    expect(ended.providerError).toContain('The request was cancelled.');
    expect(ended.cancelRequestedAt).not.toBeNull();
    expect(ended.cancelledAt).not.toBeNull();
    expect(ended.pageResults).toMatchObject([{ number: 1, state: 'failed', code: 'cancelled', text: null }]);
    expect(ended.attempts).toMatchObject([{ engine, outcome: 'cancelled', billing }]);
    await closed(calls.slice(0, 1));
    await expectBalance(house, account.accountId, 10 - cost);
    expect((await waiting).body.extracted_text).toBe('the next one');
    expect(house.engines.mostAtOnce(engine)).toBe(4);
    expect(await cancel(account, id)).toEqual(ended);
    const stillOpen = await openRequests(house.databaseUrl, others);
    expect(stillOpen).toHaveLength(3); // none of their places was it
    for (const open of stillOpen) await cancel(others, open);
  });

  it('keeps and sells the pages that were read', async () => {
    const account = await house.account();
    const seen: number[] = [];
    house.engines.script(engine, async (call, nth) => {
      if (engine !== 'local') seen.push((await call.size()).width - FIRST_WIDTH);
      return nth <= 3 ? says(`text ${nth}`, { prompt_tokens: 1000, completion_tokens: 1000 }) : silence;
    });
    if (engine === 'local')
      house.engines.script(engine, (_call, nth) => (nth <= 3 ? ollamaSays(`text ${nth}`) : silence));
    const id = await send(account, ocrBody(engine, FIVE, { ...ASYNC, ...FIVE_PAGES }));
    const calls = await house.engines.called(engine, 5);
    const ended = await cancel(account, id);
    expect(ended).toMatchObject({ status: 'partial', outcome: 'partial' });
    expect(ended.cancelledAt).not.toBeNull();
    const read = ended.pageResults.filter(({ state }) => state === 'read');
    const others = ended.pageResults.filter(({ state }) => state !== 'read');
    expect(read.map(({ text }) => text).toSorted()).toEqual(['text 1', 'text 2', 'text 3']);
    expect(others.map(({ state, code }) => [state, code])).toEqual([
      ['failed', 'cancelled'],
      ['failed', 'cancelled'],
    ]);
    await closed(calls.slice(3));
    const sold = { flat: 3 * 0.01 + 2 * cost, tokens: 3 * 0.002, local: 3 * 0.01 }[engine] ?? 0;
    expect(ended.cost).toBeCloseTo(sold, 9);
    await expectBalance(house, account.accountId, Math.round((10 - sold) * 1e9) / 1e9);
  });
});

function ollamaSays(content: string) {
  const body = { model: 'scripted-1', message: { role: 'assistant', content }, done: true, done_reason: 'stop' };
  return { kind: 'json', status: 200, body } as const;
}

it('ends what waits at once and charges nothing', async () => {
  const account = await house.account();
  house.engines.script('narrow', silence);
  const first = await send(account, await pictureBody('narrow', ASYNC));
  await house.engines.called('narrow');
  const second = await send(account, await pictureBody('narrow', ASYNC));
  const ended = await cancel(account, second);
  expect(ended).toMatchObject({ status: 'rejected', outcome: 'refunded', cost: 0, attempts: [], pageResults: [] });
  expect(ended.cancelledAt).not.toBeNull();
  await cancel(account, first);
  expect(house.engines.calls('narrow')).toHaveLength(1);
  await expectBalance(house, account.accountId, 9.996);
});

it('deletes what waits at once, without a call', async () => {
  const account = await house.account();
  house.engines.script('narrow', silence);
  const first = await send(account, await pictureBody('narrow', ASYNC));
  await house.engines.called('narrow');
  const path = `/v1/ocr/${await send(account, await pictureBody('narrow', ASYNC))}`;
  const reply = await account.caller.call('DELETE', path);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expectError(await account.caller.get(path), 410, 'result_not_retained', /deleted/);
  await cancel(account, first);
  expect(house.engines.calls('narrow')).toHaveLength(1);
  await expectBalance(house, account.accountId, 9.996);
});

it('hands a caller who waits the outcome, and binds the key', async () => {
  const account = await house.account();
  house.engines.script('flat', silence);
  const body = await pictureBody('flat');
  const waiting = account.caller.ocr(body, { key: 'waits' });
  await house.engines.called('flat');
  await cancel(account, await openRequest(house.databaseUrl, account));
  const reply = await waiting;
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ status: 'refunded', cost_debited: 0.004 });
  const again = await account.caller.ocr(body, { key: 'waits' });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toMatchObject({ request_id: reply.body.request_id, status: 'refunded' });
  expect(house.engines.calls('flat')).toHaveLength(1);
});

it('stops the call that reads a whole PDF', async () => {
  const account = await house.account();
  house.engines.script('whole', silence);
  const id = await send(account, ocrBody('whole', FIVE, { ...ASYNC, page_count: 5 }));
  const calls = await house.engines.called('whole');
  expect(await cancel(account, id)).toMatchObject({ status: 'failed', cost: 0.02 });
  await closed(calls);
});

it('stops what waits for its engine’s place, at no cost', async () => {
  const account = await house.account();
  const other = await house.account();
  house.engines.script('narrow', silence);
  // One document of two pages: the second page waits for the place of the first.
  const two = makePdf([{ text: 'one' }, { text: 'two' }]);
  const id = await send(account, ocrBody('narrow', two, { ...ASYNC, page_count: 2, settings: { dpi: 72 } }));
  await house.engines.called('narrow');
  const ended = await cancel(account, id);
  expect(ended).toMatchObject({ status: 'failed', cost: 0.004 });
  expect(ended.attempts).toMatchObject([{ outcome: 'cancelled' }]);
  house.engines.script('narrow', says('free again'));
  expect((await other.caller.ocr(await pictureBody('narrow'))).body.status).toBe('succeeded');
});

it('stops a download', async () => {
  const account = await house.account();
  let hungUp = false;
  await using web = createServer((_request, response) => {
    response.on('close', () => {
      hungUp = true;
    });
  }).listen(0, '127.0.0.1');
  await until('the web server listens', () => web.listening);
  const asked = new Promise((resolve) => web.once('request', resolve));
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/slow.png`;
  const id = await send(account, urlBody('flat', url, ASYNC));
  await asked;
  expect(await cancel(account, id)).toMatchObject({ status: 'failed', outcome: 'refunded', cost: 0, attempts: [] });
  await until('the download ends', () => hungUp);
  await expectBalance(house, account.accountId, 10);
});

it('does nothing to what has ended', async () => {
  const account = await house.account();
  const { body } = await account.caller.ocr(await pictureBody('flat'));
  const ended = await cancel(account, body.request_id);
  expect(ended).toMatchObject({ status: 'succeeded', cost: 0.01, cancelRequestedAt: null, cancelledAt: null });
});

it('knows no request of another account, needs ocr:write, and lets operators cancel without reading', async () => {
  const account = await house.account();
  house.engines.script('flat', (_call, nth) => (nth === 1 ? says('private') : silence));
  const id = await send(account, ocrBody('flat', FIVE, { ...ASYNC, ...FIVE_PAGES }));
  await house.engines.called('flat', 4);
  expect(await refusal(await house.account(), id)).toEqual(['not_found']);
  expect(await refusal(await house.account(), 'ocr_unknown')).toEqual(['not_found']);
  expect(await refusal(await house.account({ scopes: ['ocr:read'] }), id)).toEqual(['insufficient_scope']);
  const operator = await house.account({ scopes: ['operator'] });
  const seen = await cancel(operator, id);
  expect(seen).toMatchObject({ status: 'partial', extractedTextPreview: null });
  expect(JSON.stringify(seen)).not.toContain('private');
  const { data } = await ask<{ auditLog: { nodes: { action: string; subject: string }[] } }>(
    operator.caller,
    '{ auditLog(first: 50) { nodes { action subject } } }',
  );
  expect(data.auditLog.nodes).toContainEqual({ action: 'cancelRequest', subject: id });
});

it('ends the program of a local engine', async (context) => {
  if (spawnSync('tesseract', ['--version']).status !== 0) {
    context.skip('the tesseract program is not on the PATH');
    return;
  }
  if (!existsSync('/proc/self/task')) return context.skip('only Linux tells the children of a process');
  const account = await house.account();
  const paper = sharp({ create: { width: 2200, height: 3000, channels: 3, background: 'white' } });
  const tile = await readFile(new URL('../fixtures/two-columns.png', import.meta.url));
  const slow = await paper
    .composite([{ input: tile, tile: true }])
    .png({ compressionLevel: 9 })
    .toBuffer();
  const id = await send(account, ocrBody('tesseract', slow, ASYNC));
  await until('the program reads', async () => (await readersOf(house.product.pid)).length > 0);
  const ended = await cancel(account, id);
  expect(ended).toMatchObject({ status: 'failed', outcome: 'refunded', cost: 0 });
  await until('no program is left', async () => (await readersOf(house.product.pid)).length === 0);
});

/** Children of a process that are tesseract. */
async function readersOf(pid: number): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    const [, name = '', state = '', parent = ''] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? [];
    if (name === 'tesseract' && state !== 'Z' && Number(parent) === pid) found.push(entry);
  }
  return found;
}
