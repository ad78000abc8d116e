import sharp from 'sharp';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { OcrAnswer, PageAnswer, PageListAnswer } from '../../house/answers.ts';
import { Caller } from '../../house/caller.ts';
import type { EngineAnswer } from '../../house/engine-answers.ts';
import type { EngineCall } from '../../house/engine-call.ts';
import { makeGate } from '../../house/gate.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { openHouse, openOwnHouse } from '../../house/house.ts';
import { type OcrFields, ocrBody } from '../../house/ocr-body.ts';
import { outputOf } from '../../house/output.ts';
import { makePdf } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { until } from '../../house/until.ts';
import { expectSoundPositions } from '../../house/word-boxes.ts';

/** Words with their places, and what else a request may ask for. The engine tells where its words stand. */
const ENGINES = { placer: { adapter: 'easyocr', max_pages_per_request: 50, concurrency: 4 } } as const;
const house = await openHouse({ engines: ENGINES });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const PAGES = 22;
const FIRST_WIDTH = 100;
const HEIGHT = 80;
const ALL: OcrFields = { mode: 'async', page_count: PAGES, settings: { dpi: 72 }, include: ['words'] };

/** Scanned pages, each a point wider than the one before. */
async function scans(): Promise<Buffer> {
  const picture = { jpeg: await pictureAs('jpeg'), width: 64, height: 48 };
  return makePdf(Array.from({ length: PAGES }, (_, i) => ({ size: [FIRST_WIDTH + i + 1, HEIGHT] as const, picture })));
}

async function pageOf({ body }: EngineCall): Promise<number> {
  return (await sharp(Buffer.from(String(body['image']), 'base64')).metadata()).width - FIRST_WIDTH;
}

/** Two words, the second of which is the number of the page. */
function wordsOn(page: number): EngineAnswer {
  const box = (left: number, right: number) => [
    [left, 20],
    [right, 20],
    [right, 36],
    [left, 36],
  ];
  const results = [
    { bbox: box(10, 40), text: 'page', confidence: 0.9 },
    { bbox: box(46, 60), text: String(page), confidence: 0.8 },
  ];
  return { kind: 'json', status: 200, body: { results } };
}

/** As the engine told it of that page. */
function expectPlaced(page: PageAnswer | undefined, number: number): void {
  expect(page).toMatchObject({ page: number, state: 'read', engine: 'placer', text: `page ${number}` });
  if (page) expectSoundPositions(page);
  const [line, ...others] = page?.lines ?? [];
  expect(others).toEqual([]);
  expect(line?.words?.map(({ text, span }) => [text, span])).toEqual([
    ['page', [0, 4]],
    [String(number), [5, 5 + String(number).length]],
  ]);
  const [left, top] = line?.words?.[1]?.polygon ?? [];
  expect(left).toBeCloseTo(46 / (FIRST_WIDTH + number), 4);
  expect(top).toBeCloseTo(20 / HEIGHT, 4);
}

function listed(caller: Caller, id: string, query = '?include=words&per_page=100') {
  return caller.get<PageListAnswer>(`/v1/ocr/${id}/pages${query}`);
}

function ended(caller: Caller, id: string): Promise<OcrAnswer> {
  return until('the request ends', async () => {
    const { body } = await caller.get<OcrAnswer>(`/v1/ocr/${id}`);
    return !['queued', 'processing'].includes(body.status) && body;
  });
}

it('a job that runs has them of finished pages, and a cancelled one keeps those', async () => {
  const { caller } = await house.account({ credit: 1 });
  const gate = makeGate();
  house.engines.script('placer', async (call) => {
    const page = await pageOf(call);
    if (page > 6) await gate.opened;
    return wordsOn(page);
  });
  const { body } = await caller.ocr(ocrBody('placer', await scans(), ALL));
  const id = body.request_id;
  const running = await until('six pages are read', async () => {
    const { body: now } = await listed(caller, id);
    return now.total === 6 && now;
  });
  for (const [index, page] of running.data.entries()) expectPlaced(page, index + 1);
  await caller.call('POST', `/v1/ocr/${id}/cancel`);
  gate.open();
  const cancelled = await ended(caller, id);
  expect(cancelled.status).toBe('partial');
  const read = (cancelled.page_results ?? []).filter(({ state }) => state === 'read');
  expect(read.length).toBeGreaterThanOrEqual(6);
  for (const page of read) expectPlaced(page, page.page);
  const hocr = await caller.get(`/v1/ocr/${id}/output?format=hocr`);
  expect(hocr.text.match(/class="ocrx_word"/g)).toHaveLength(2 * read.length);
});

it('those of pages that were finished when the process was killed are in the result', async () => {
  await using crashing = await openOwnHouse({ engines: ENGINES });
  const { apiKey, caller } = await crashing.account({ credit: 1 });
  let killed = false;
  crashing.engines.script('placer', async (call) => {
    const page = await pageOf(call);
    if (!killed && page > 8) await new Promise(() => {}); // only a new process gets past this
    return wordsOn(page);
  });
  const { body } = await caller.ocr(ocrBody('placer', await scans(), ALL));
  await until('eight pages are read', async () => (await listed(caller, body.request_id)).body.total === 8);
  await crashing.product.kill();
  killed = true;
  const engines = Object.entries(ENGINES).map(([id, more]) => crashing.engines.entry(id, more));
  await using product = await hostProduct({ databaseUrl: crashing.product.databaseUrl, engines });
  const again = new Caller(product.url, apiKey);
  const { page_results: pages = [] } = await ended(again, body.request_id);
  expect(pages).toHaveLength(PAGES);
  for (const [index, page] of pages.entries()) expectPlaced(page, index + 1);
  expect((await listed(again, body.request_id)).body.data).toEqual(pages);
  const result = await again.get<OcrAnswer>(String(body.poll_url).replace('/status', '/result'));
  expect(result.body.page_results).toEqual(pages);
});

it('of a document that two engines read, each page has those of its own', async () => {
  const { caller } = await house.account();
  const jpeg = await pictureAs('jpeg');
  const scan = { size: [FIRST_WIDTH + 2, HEIGHT] as const, picture: { jpeg, width: 64, height: 48 } };
  const document = makePdf([{ text: 'Of its own' }, scan]);
  house.engines.script('placer', wordsOn(2));
  const fields = { page_count: 2, include: ['words'], fallback_engine: 'placer', settings: { dpi: 72 } };
  const { status, text, body } = await caller.ocr(ocrBody('pdf-text', document, fields));
  expect(status, text).toBe(200);
  expect(body.page_results?.[0]).toMatchObject({ source: 'text_layer', engine: 'pdf-text', positions: 'word' });
  expectPlaced(body.page_results?.[1], 2);
  const { headers } = await outputOf(caller, { requestId: body.request_id, document });
  expect(headers).toMatchObject({ 'x-ocr-output': 'extended', 'x-ocr-output-pages': '1' });
});

it.each([
  ['text', 'text/plain'],
  ['markdown', 'text/markdown'],
])('a body of %s carries none of it; the list of its pages has it', async (format, type) => {
  const { caller } = await house.account();
  house.engines.script('placer', async (call) => wordsOn(await pageOf(call)));
  const document = await pictureAs('png', { width: FIRST_WIDTH + 1, height: HEIGHT });
  const fields = { include: ['words'], output_format: format };
  const sent = await caller.ocr(ocrBody('placer', document, fields));
  expect(sent.headers['content-type']).toContain(type);
  expect(sent.text).not.toContain('polygon');
  const id = sent.headers['x-request-id'] ?? '';
  const { request_id: found } = (await caller.get<OcrAnswer>(`/v1/ocr/${id}`)).body;
  const { body } = await listed(caller, found);
  expectPlaced(body.data[0], 1);
});

it('a limit on the cost holds with them as without, and counts as the same request', async () => {
  const { caller } = await house.account();
  house.engines.script('placer', async (call) => wordsOn(await pageOf(call)));
  const document = await pictureAs('png', { width: FIRST_WIDTH + 3, height: HEIGHT });
  const body = ocrBody('placer', document, { include: ['words'], max_cost_usd: 0.01 });
  const first = await caller.ocr(body, { key: 'capped-words' });
  expect(first.body.cost_debited).toBe(0.01);
  expectPlaced({ ...first.body.page_results?.[0], page: 3 } as PageAnswer, 3);
  const again = await caller.ocr({ ...body, max_cost_usd: 0.5 }, { key: 'capped-words' });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body.page_results).toEqual(first.body.page_results);
});
