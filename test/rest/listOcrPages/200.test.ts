import { afterAll, beforeEach, expect, it } from 'vitest';
import type { OcrAnswer, PageListAnswer } from '../../house/answers.ts';
import { Caller } from '../../house/caller.ts';
import { says } from '../../house/engine-answers.ts';
import type { EngineCall } from '../../house/engine-call.ts';
import { makeGate } from '../../house/gate.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { openHouse, openOwnHouse } from '../../house/house.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';

const ENGINES = { reader: { max_pages_per_request: 50, concurrency: 4 } };
const house = await openHouse({ engines: ENGINES });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const PAGES = 22;
const FIRST_WIDTH = 100;
const ALL = { mode: 'async', page_count: PAGES, settings: { dpi: 72 }, include: ['pages'] };

/** Scanned pages, each a point wider than the one before: an engine can tell which one it sees. */
async function scans(): Promise<Buffer> {
  const picture = { jpeg: await pictureAs('jpeg'), width: 64, height: 48 };
  return makePdf(Array.from({ length: PAGES }, (_, i) => ({ size: [FIRST_WIDTH + i + 1, 80] as const, picture })));
}

async function pageOf(call: EngineCall): Promise<number> {
  return (await call.size()).width - FIRST_WIDTH;
}

function list(caller: Caller, id: string, query = '') {
  return caller.get<PageListAnswer>(`/v1/ocr/${id}/pages${query}`);
}

it('lists the pages of a request that asked for none of them, in parts', async () => {
  const { caller } = await house.account();
  const pages = Array.from({ length: 5 }, (_, i) => ({ text: `page ${i + 1}` }));
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf(pages), { page_count: 5 }));
  const second = await list(caller, body.request_id, '?per_page=2&page=2');
  expect(second.body).toEqual({
    ...{ object: 'list', request_id: body.request_id, status: 'succeeded', page: 2, per_page: 2, total: 5 },
    data: [3, 4].map((page) => ({
      ...{ page, state: 'read', source: 'text_layer', engine: 'pdf-text', text: `page ${page}` },
      ...{ cost_usd: body.cost_debited / 5, provider_latency_ms: expect.any(Number) },
    })),
  });
  expect((await list(caller, body.request_id, '?page=9')).body).toMatchObject({ data: [], total: 5 });
  expect((await list(caller, body.request_id)).body).toMatchObject({ page: 1, per_page: 20, total: 5 });
});

it('lists what a request asked for, as far as it is wanted now', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'one two' }]), { include: ['words'] }));
  const wanted = async (query: string) => (await list(caller, body.request_id, query)).body.data[0];
  expect(await wanted('')).not.toHaveProperty('lines');
  expect(await wanted('')).toMatchObject({ width: 595, positions: 'word' });
  expect((await wanted('?include=lines'))?.lines?.[0]).not.toHaveProperty('words');
  expect((await wanted('?include=pages,words'))?.lines).toEqual(body.page_results?.[0]?.lines);
});

it('lists and writes lines that a version before has stored as JSON', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'stored before' }]), { include: ['words'] }));
  const id = body.request_id;
  const quad = [1000, 2000, 9000, 2000, 9000, 3000, 1000, 3000];
  const stored = JSON.stringify([['kept as JSON', quad, 950, 2, [['kept', quad, null, 0, 4]]]]);
  await runSql(
    house.databaseUrl,
    `update page_layout set lines = '${stored}', line_bytes = null where request_id = '${id}'`,
  );
  const polygon = quad.map((value) => value / 100_000);
  const words = [{ text: 'kept', polygon, span: [0, 4] }];
  const { body: listed } = await list(caller, id, '?include=words');
  expect(listed.data[0]?.lines).toEqual([{ text: 'kept as JSON', polygon, confidence: 0.95, block: 2, words }]);
  const { text: hocr } = await caller.get(`/v1/ocr/${id}/output?format=hocr`);
  expect(hocr).toContain('>kept</span>');
});

it('has no pages of a request in flight, and of a large job those that are finished', async () => {
  const { caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('reader', async (call) => {
    const page = await pageOf(call);
    if (page > 10) await gate.opened;
    return says(`page ${page}`);
  });
  const { body } = await caller.ocr(ocrBody('reader', await scans(), ALL));
  const running = await until('ten pages are read', async () => {
    const { body: now } = await list(caller, body.request_id, '?per_page=4&page=2');
    return now.total === 10 && now.data.length === 4 && now; // pages and their number are read side by side
  });
  expect(running.status).toBe('processing');
  expect(running.data.map(({ page, text }) => [page, text])).toEqual(
    [5, 6, 7, 8].map((page) => [page, `page ${page}`]),
  );
  const single = await caller.ocr(
    ocrBody('reader', await pictureAs('png', { width: 300, height: 20 }), { mode: 'async' }),
  );
  expect((await list(caller, single.body.request_id)).body).toMatchObject({ data: [], total: 0 });
  gate.open();
  const done = await until('the job ends', async () => {
    const { body: now } = await caller.get<OcrAnswer>(`/v1/ocr/${body.request_id}`);
    return now.status === 'succeeded' && now;
  });
  const widths = done.page_results?.map(({ page, width }) => [page, width]);
  expect(widths).toEqual(Array.from({ length: PAGES }, (_, i) => [i + 1, FIRST_WIDTH + i + 1]));
});

it('has what was known of the pages that were finished when the process was killed', async () => {
  await using crashing = await openOwnHouse({ engines: ENGINES });
  const { apiKey, caller } = await crashing.account({ credit: 1 });
  let killed = false;
  crashing.engines.script('reader', async (call) => {
    if (!killed && (await pageOf(call)) > 8) await new Promise(() => {}); // only a new process gets past this
    return says(`page ${await pageOf(call)}`);
  });
  const { body } = await caller.ocr(ocrBody('reader', await scans(), ALL));
  await until('eight pages are read', async () => (await list(caller, body.request_id)).body.total === 8);
  await crashing.product.kill();
  killed = true;
  const engines = Object.entries(ENGINES).map(([id, more]) => crashing.engines.entry(id, more));
  await using product = await hostProduct({ databaseUrl: crashing.product.databaseUrl, engines });
  const again = new Caller(product.url, apiKey);
  const { data } = await until('the job ends', async () => {
    const { body: now } = await list(again, body.request_id, '?per_page=100');
    return now.status === 'succeeded' && now;
  });
  expect(data.map(({ width }) => width)).toEqual(Array.from({ length: PAGES }, (_, i) => FIRST_WIDTH + i + 1));
});
