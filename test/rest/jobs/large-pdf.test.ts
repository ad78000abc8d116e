import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { OcrAnswer } from '../../house/answers.ts';
import { Caller } from '../../house/caller.ts';
import { DocumentWeb } from '../../house/document-web.ts';
import { refuses, says, silence } from '../../house/engine-answers.ts';
import type { EngineCall } from '../../house/engine-call.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { ask } from '../../house/graphql.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { LOOPBACK_ALLOWED, openHouse, openOwnHouse } from '../../house/house.ts';
import { ocrBody, urlBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { until } from '../../house/until.ts';

const ENGINES = { reader: { max_pages_per_request: 50, concurrency: 4 } };
const house = await openHouse({ engines: ENGINES, env: LOOPBACK_ALLOWED });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const PAGES = 22;
const FIRST_WIDTH = 100;

/** Scanned pages, each a point wider than the one before: an engine can tell which one it sees. */
async function scans(pages = PAGES, text?: string): Promise<Buffer> {
  const jpeg = await pictureAs('jpeg');
  return makePdf(
    Array.from({ length: pages }, (_, i) => ({
      size: [FIRST_WIDTH + i + 1, 80] as const,
      picture: { jpeg, width: 64, height: 48 },
      ...(text !== undefined && i === 0 && { text }),
    })),
  );
}

async function pageOf(call: EngineCall): Promise<number> {
  return (await call.size()).width - FIRST_WIDTH;
}

const ALL = { mode: 'async', page_count: PAGES, settings: { dpi: 72 } };

interface JobAnswer {
  job_id: string;
  request_id: string;
  status: string;
  pages_total: number;
  pages_done: number;
  pages_failed: { page: number; code: string; message: string }[];
  cost_debited: number;
  poll_after_ms?: number;
}

function ended(caller: Caller, statusUrl: string) {
  return until('the job ends', async () => {
    const { body } = await caller.get<JobAnswer>(statusUrl);
    return !['queued', 'processing'].includes(body.status) && body;
  });
}

it('tells where the time of a job goes while it runs', async () => {
  const { caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('reader', async (call) => {
    const page = await pageOf(call);
    await (page > 10 ? gate.opened : sleep(20));
    return says(`page ${page}`);
  });
  const { body } = await caller.ocr(ocrBody('reader', await scans(), ALL));
  interface Timed {
    startedAt: string;
    finishedAt: string | null;
    wallTimes: { engineMs: number; renderMs: number; placeMs: number } | null;
    job: { pagesDone: number };
  }
  const look = async () => {
    const text = `{ request(id: "${body.request_id}") { startedAt finishedAt wallTimes { engineMs renderMs placeMs } job { pagesDone } } }`;
    return (await ask<{ request: Timed }>(caller, text)).data.request;
  };
  const running = await until('ten pages are read', async () => {
    const request = await look();
    return request.job.pagesDone === 10 && request;
  });
  expect(running.finishedAt).toBeNull();
  expect(running.wallTimes).not.toBeNull();
  const { engineMs, renderMs, placeMs } = running.wallTimes ?? { engineMs: 0, renderMs: 0, placeMs: 0 };
  expect(engineMs).toBeGreaterThanOrEqual(40); // ten pages, four at a time, 20 ms each
  expect(engineMs + renderMs + placeMs).toBeLessThanOrEqual(Date.now() - Date.parse(running.startedAt) + 50);
  gate.open();
  const over = await until('the job ends', async () => {
    const request = await look();
    return request.finishedAt !== null && request;
  });
  expect(over.wallTimes?.engineMs).toBeGreaterThanOrEqual(engineMs);
});

it('reads on where its provider says of itself what no column holds', async () => {
  const { caller } = await house.account({ credit: 1 });
  house.engines.script('reader', async (call) => {
    const page = await pageOf(call);
    const answer = says(`page ${page}`);
    if (page !== 12 || answer.kind !== 'json') return answer;
    return { ...answer, body: { ...(answer.body as object), id: 'chat\u0000cmpl', model: 'm\u0000 \ud800' } };
  });
  const { body } = await caller.ocr(ocrBody('reader', await scans(), ALL));
  await ended(caller, body.poll_url ?? '');
  const result = await caller.get<OcrAnswer>(`/v1/ocr/${body.request_id}`);
  expect(result.body).toMatchObject({ status: 'succeeded', pages: PAGES });
});

it('tells in its result what was forwarded of native_settings', async () => {
  const { caller } = await house.account({ credit: 1 });
  const native_settings = { max_tokens: 100_000, seed: 1, vendor: 2 };
  const { body } = await caller.ocr(ocrBody('reader', await scans(), { ...ALL, native_settings }));
  await ended(caller, body.poll_url ?? '');
  const result = await caller.get<OcrAnswer>(`/v1/ocr/${body.request_id}`);
  expect(result.body.applied_settings?.['native']).toEqual({ max_tokens: 8192, seed: 1 });
});

it('is a job with a progress of its own, whose result is that of the request', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('reader', async (call) => {
    const page = await pageOf(call);
    if (page > 10) await gate.opened;
    return says(`page ${page}`);
  });
  const accepted = await caller.ocr(ocrBody('reader', await scans(), ALL));
  expect(accepted.status).toBe(202);
  expect(accepted.body.poll_url).toMatch(/^\/v1\/ocr\/jobs\/job_[0-9A-HJKMNP-TV-Z]{26}\/status$/);
  expect(accepted.headers['location']).toBe(accepted.body.poll_url);
  expect(accepted.body.pages_total).toBe(PAGES);
  const statusUrl = accepted.body.poll_url ?? '';
  const resultUrl = statusUrl.replace('/status', '/result');
  const running = await until('ten pages are read', async () => {
    const { body } = await caller.get<JobAnswer>(statusUrl);
    return body.pages_done === 10 && body;
  });
  expect(running).toEqual({
    job_id: expect.stringMatching(/^job_/),
    request_id: accepted.body.request_id,
    status: 'processing',
    pages_total: PAGES,
    pages_done: 10,
    pages_failed: [],
    cost_debited: 0,
    poll_after_ms: expect.any(Number),
  });
  const early = await caller.get<JobAnswer>(resultUrl);
  expect([early.status, early.body]).toEqual([202, running]);
  expect((await caller.get(`/v1/ocr/${accepted.body.request_id}`)).body.poll_url).toBe(statusUrl);
  gate.open();
  expect(await ended(caller, statusUrl)).toMatchObject({ status: 'succeeded', pages_done: PAGES, cost_debited: 0.22 });
  const result = await caller.get<OcrAnswer>(resultUrl);
  expect(result.status).toBe(200);
  expect(result.body.extracted_text?.split('\n\n---\n\n')).toEqual(
    Array.from({ length: PAGES }, (_, i) => `page ${i + 1}`),
  );
  expect((await caller.get(`/v1/ocr/${accepted.body.request_id}`)).body).toEqual(result.body);
  await expectBalance(house, accountId, 0.78);
});

it('names the pages that failed, charges the provider’s cost for them, and is partial', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', async (call) =>
    (await pageOf(call)) === 7 ? refuses('Not this one.') : says('text'),
  );
  const { body } = await caller.ocr(ocrBody('reader', await scans(), ALL));
  const status = await ended(caller, body.poll_url ?? '');
  const failed = [{ page: 7, code: 'provider_error', message: expect.stringMatching(/\S/) }];
  expect(status).toMatchObject({ status: 'partial', pages_done: PAGES - 1, pages_failed: failed });
  expect(status).not.toHaveProperty('poll_after_ms');
  const result = await caller.get<OcrAnswer & { pages_failed: unknown }>(`/v1/ocr/jobs/${status.job_id}/result`);
  expect(result.body).toMatchObject({ status: 'partial', extracted_text: null, pages_failed: failed });
  expect(result.body.warnings?.join(' ')).toContain('Page 7');
  await expectBalance(house, accountId, 1 - 21 * 0.01 - 0.004);
});

it('goes on behind the pages that were finished when the process was killed', async () => {
  await using crashing = await openOwnHouse({ engines: ENGINES });
  const { accountId, apiKey, caller } = await crashing.account({ credit: 1 });
  const read: number[] = [];
  let killed = false;
  crashing.engines.script('reader', async (call) => {
    const page = await pageOf(call);
    if (!killed && page > 8) await new Promise(() => {}); // only a new process gets past this
    read.push(page);
    return says(`page ${page}`);
  });
  const { body } = await caller.ocr(ocrBody('reader', await scans(), ALL));
  await until('eight pages are read', async () => {
    const { body: status } = await caller.get<JobAnswer>(body.poll_url ?? '');
    return status.pages_done === 8;
  });
  await until('the next pages are at the engine', () => crashing.engines.calls('reader').length === 12);
  await crashing.product.kill();
  killed = true;
  const engines = Object.entries(ENGINES).map(([id, more]) => crashing.engines.entry(id, more));
  await using product = await hostProduct({ databaseUrl: crashing.product.databaseUrl, engines });
  const again = new Caller(product.url, apiKey);
  await ended(again, body.poll_url ?? '');
  expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: PAGES }, (_, i) => i + 1));
  expect((await again.get(`/v1/ocr/${body.request_id}`)).body.extracted_text).toContain('page 1\n\n---\n\npage 2');
  await expectBalance(crashing, accountId, 0.78);
});

it('is told from its URL once the document is known', async () => {
  await using web = await DocumentWeb.start();
  const { caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('text');
  });
  const url = web.put('/scan.pdf', { bytes: await scans() });
  const { body } = await caller.ocr(urlBody('reader', url, ALL));
  expect(body.poll_url).toBe(`/v1/ocr/${body.request_id}`);
  const named = await until('the job is named', async () => {
    const { body: now } = await caller.get(`/v1/ocr/${body.request_id}`);
    return now.poll_url?.includes('/jobs/') && now;
  });
  expect(named.pages_total).toBe(PAGES);
  gate.open();
  expect((await ended(caller, named.poll_url ?? '')).status).toBe('succeeded');
});

it.each([
  ['answers with another document', { bytes: await scans(PAGES + 1) }, /changed/],
  ['is gone', { status: 404, bytes: '' }, /input\.url/],
])('fails when its URL %s at the next start, and the finished pages are paid at cost', async (_name, page, why) => {
  await using web = await DocumentWeb.start();
  const env = { ...LOOPBACK_ALLOWED, SHUTDOWN_LIMIT_MS: '50' };
  await using first = await openHouse({ engines: ENGINES, env });
  const { accountId, apiKey, caller } = await first.account({ credit: 1 });
  first.engines.script('reader', async (call) => ((await pageOf(call)) > 8 ? silence : says('text')));
  const { body } = await caller.ocr(urlBody('reader', web.put('/scan.pdf', { bytes: await scans() }), ALL));
  await until('eight pages are read', async () => {
    const { body: now } = await caller.get(`/v1/ocr/${body.request_id}`);
    const isJob = now.poll_url?.includes('/jobs/') ?? false;
    return isJob && (await caller.get<JobAnswer>(now.poll_url ?? '')).body.pages_done === 8;
  });
  await first.product.stop();
  web.put('/scan.pdf', page);
  const engines = Object.entries(ENGINES).map(([id, more]) => first.engines.entry(id, more));
  await using product = await hostProduct({ databaseUrl: first.product.databaseUrl, engines, env });
  const again = new Caller(product.url, apiKey);
  const ended = await until('the request ends', async () => {
    const { body: now } = await again.get(`/v1/ocr/${body.request_id}`);
    return now.status === 'failed' && now;
  });
  expect(ended).toMatchObject({ cost_debited: 0.032, provider_error: expect.stringMatching(why) });
  await expectBalance(first, accountId, 0.968);
  expect((await first.admin.doctor()).ok).toBe(true);
});

it.each([
  ['has 20 pages', () => scans(20)],
  ['has a page with text of its own', () => scans(PAGES, 'typed text')],
])('is no job when the document %s', async (_name, make) => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('reader', await make(), { mode: 'async', page_count: 2 }));
  expect(body.poll_url).toBe(`/v1/ocr/${body.request_id}`);
});

it('is unknown to other accounts, and so is a job that never was', async () => {
  const { caller } = await house.account();
  const { caller: other } = await house.account();
  const { body } = await caller.ocr(ocrBody('reader', await scans(), { ...ALL, page_count: 1 }));
  for (const part of ['status', 'result']) {
    const url = (body.poll_url ?? '').replace('status', part);
    expectError(await other.get(url), 404, 'not_found');
    expectError(await caller.get(`/v1/ocr/jobs/job_00000000000000000000000000/${part}`), 404, 'not_found');
    expectError(await caller.get(`/v1/ocr/jobs/nonsense/${part}`), 404, 'not_found');
  }
});
