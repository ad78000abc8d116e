import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { OcrAnswer, PageListAnswer } from '../../house/answers.ts';
import { cutsShort, refuses, says } from '../../house/engine-answers.ts';
import { type OcrFields, ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { readSql } from '../../house/sql.ts';
import { boundsOf, expectSoundPositions, wordOn, wordsOf } from '../../house/word-boxes.ts';

const house = await sharedHouse();

const fox = await readFile(new URL('../../fixtures/quick-brown-fox.png', import.meta.url));
const TEXT = 'This page carries its own text.\nNothing is recognised here.';

async function read(engine: string, document: Buffer, fields: OcrFields = {}): Promise<OcrAnswer> {
  const { caller } = await house.account();
  const reply = await caller.ocr(ocrBody(engine, document, fields));
  // A slow answer has begun as 202.
  expect(reply.body.http_status ?? reply.status, reply.text).toBe(200);
  return reply.body;
}

const { width, height } = await sharp(fox).metadata();

describe('a request that asks for words', () => {
  it('gets each word of a picture with its place, its confidence and where it stands in the text', async () => {
    const body = await read('tesseract', fox, { include: ['words'] });
    const [page] = body.page_results ?? [];
    expect(body.page_results).toHaveLength(1);
    expect(page).toMatchObject({
      page: 1,
      state: 'read',
      source: 'engine',
      engine: 'tesseract',
      text: body.extracted_text,
    });
    expect(page).toMatchObject({
      unit: 'pixel',
      width,
      height,
      text_angle: 0,
      positions: 'word',
      cost_usd: body.cost_debited,
    });
    if (page) expectSoundPositions(page);
    expect((page && wordsOf(page))?.map(({ text }) => text).join(' ')).toBe(
      body.extracted_text?.replace(/\s+/g, ' ').trim(),
    );
    const word = wordOn(page, 'fox');
    const [left, top, right, bottom] = boundsOf(word);
    const ink = await inkOf(fox, [left, top, right, bottom]);
    for (const [side, value] of ink.entries())
      expect(Math.abs(value - ([left, top, right, bottom][side] ?? 2))).toBeLessThan(0.01);
    expect(word.confidence).toBeGreaterThan(0.5);
  });

  it('gets those of a PDF’s own text', async () => {
    const pdf = makePdf([{ text: TEXT, size: [400, 500], textAt: [40, 450] }]);
    const [page] = (await read('pdf-text', pdf, { include: ['words'] })).page_results ?? [];
    expect(page).toMatchObject({ source: 'text_layer', unit: 'point', width: 400, height: 500, positions: 'word' });
    expect(page).not.toHaveProperty('dpi');
    if (page) expectSoundPositions(page);
    expect(page?.lines?.map(({ text }) => text)).toEqual(TEXT.split('\n'));
    const [left, top, , bottom] = boundsOf(wordOn(page, 'This'));
    expect(left).toBeCloseTo(40 / 400, 2);
    expect(bottom).toBeGreaterThan(50 / 500 - 0.001);
    expect(top).toBeLessThan(50 / 500 - 0.012);
    expect(wordOn(page, 'recognised').span).toEqual([43, 53]);
  });

  it('gets lines without words where it asks for lines, and pages without lines where it asks for pages', async () => {
    const pdf = makePdf([{ text: TEXT }, {}]);
    const lines = await read('pdf-text', pdf, { include: ['lines'], page_count: 2 });
    expect(lines.page_results?.[0]?.lines?.[0]).toEqual({ text: TEXT.split('\n')[0], polygon: expect.any(Array) });
    expect(lines.page_results?.[1]).toMatchObject({ page: 2, state: 'blank', text: '', width: 595, positions: 'none' });
    const pages = await read('pdf-text', pdf, { include: ['pages'] });
    expect(pages.page_results?.[0]).toMatchObject({ page: 1, width: 595, height: 842, positions: 'none' });
    expect(pages.page_results?.[0]).not.toHaveProperty('lines');
  });

  it('gets pages without positions from an engine that has none', async () => {
    house.engines.script('reader', says('some text'));
    const { page_results } = await read('reader', fox, { include: ['words'] });
    expect(page_results).toEqual([
      {
        ...{
          page: 1,
          state: 'read',
          source: 'engine',
          engine: 'reader',
          text: 'some text',
          cost_usd: expect.any(Number),
        },
        ...{
          provider_latency_ms: expect.any(Number),
          unit: 'pixel',
          dpi: 72,
          width,
          height,
          text_angle: 0,
          positions: 'none',
        },
      },
    ]);
  });

  it('gets the pages of a partial result, of a failed one what is wrong, and none of what was not read', async () => {
    const answers = [says('first'), cutsShort('sec')];
    house.engines.script('reader', () => answers.shift() ?? says(''));
    const pdf = makePdf([{ text: 'one' }, { text: 'two' }]);
    const partial = await read('reader', pdf, { include: ['pages'], page_count: 2 });
    expect(partial.status).toBe('partial');
    expect(partial.page_results?.map(({ state }) => state).toSorted()).toEqual(['failed', 'read']);
    const failed = partial.page_results?.find(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ code: 'provider_error', message: expect.any(String), text: 'sec' });
    house.engines.script('reader', refuses('no'));
    const { caller } = await house.account();
    const refused = await caller.ocr(ocrBody('reader', fox, { include: ['pages'] }));
    expect(refused.body).not.toHaveProperty('page_results');
    const again = await caller.get(`/v1/ocr/${refused.body.request_id}`);
    expect(again.body).toMatchObject({ status: 'failed', engine: 'reader' });
    expect(again.body).not.toHaveProperty('page_results');
  });

  it('gets pages by their numbers in the document, of a range as well', async () => {
    const pdf = makePdf(['one', 'two', 'three'].map((text) => ({ text })));
    const fields = { include: ['pages'], page_count: 3, settings: { page_range: '2-3' } };
    const { page_results } = await read('pdf-text', pdf, fields);
    expect(page_results?.map(({ page, text }) => [page, text])).toEqual([
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  it('gets of a scanned page that was skipped why it was', async () => {
    const jpeg = await sharp(fox).jpeg().toBuffer();
    const pdf = makePdf([{ text: 'typed' }, { picture: { jpeg, width, height } }]);
    const fields = { include: ['words'], page_count: 2, scanned_handling: 'skip' };
    const { page_results = [] } = await read('pdf-text', pdf, fields);
    expect(page_results.map(({ state }) => state)).toEqual(['read', 'skipped']);
    expect(page_results[1]).toMatchObject({ page: 2, message: expect.stringMatching(/\w/), positions: 'none' });
    expect(page_results[1]).not.toHaveProperty('text');
  });

  it('is answered the same by GET, by a replay and by the list of its pages', async () => {
    const { caller } = await house.account();
    const body = ocrBody('tesseract', fox, { include: ['words', 'pages'] });
    const first = await caller.ocr(body, { key: 'same' });
    const pages = first.body.page_results;
    expect(pages?.[0]?.lines?.length).toBeGreaterThan(1);
    expect((await caller.get(`/v1/ocr/${first.body.request_id}`)).body.page_results).toEqual(pages);
    const again = ocrBody('tesseract', fox, { include: ['pages', 'words'] });
    expect((await caller.ocr(again, { key: 'same' })).body.page_results).toEqual(pages);
    const other = await caller.ocr(ocrBody('tesseract', fox, { include: ['words'] }), { key: 'same' });
    expect(other.status).toBe(409);
    const listed = await caller.get<PageListAnswer>(`/v1/ocr/${first.body.request_id}/pages?include=words`);
    expect(listed.body.data).toEqual(pages);
  });
});

describe('a request that asks for none of it', () => {
  it('has neither pages in its answer nor rows for them, and [] is as if absent', async () => {
    const { caller } = await house.account();
    const plain = await caller.ocr(ocrBody('tesseract', fox), { key: 'plain' });
    expect(plain.body).not.toHaveProperty('page_results');
    const empty = await caller.ocr(ocrBody('tesseract', fox, { include: [] }), { key: 'plain' });
    expect(empty.headers['idempotent-replayed']).toBe('true');
    const rows = await readSql(
      house.databaseUrl,
      `select * from page_layout where request_id = '${plain.body.request_id}'`,
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['what is unknown', ['words', 'letters'], /^include.*`letters`/],
    ['what is named twice', ['words', 'words'], /^include/],
    ['what is no list', 'words', /^include/],
  ])('400 for %s', async (_, include, message) => {
    const { caller } = await house.account();
    const reply = await caller.ocr(await pictureBody('reader', { include }));
    expect(reply.status).toBe(400);
    expect(reply.body.error?.message).toMatch(message);
  });
});

it('history off: the answer has the words, once, and nothing of them is kept', async () => {
  const { caller } = await house.account({ history: false });
  const body = ocrBody('tesseract', fox, { include: ['words'] });
  const first = await caller.ocr(body, { key: 'once' });
  expect(wordOn(first.body.page_results?.[0], 'fox').polygon).toHaveLength(8);
  const id = first.body.request_id;
  expect((await caller.get(`/v1/ocr/${id}/pages`)).status).toBe(410);
  expect((await caller.ocr(body, { key: 'once' })).body).not.toHaveProperty('page_results');
  expect(await readSql(house.databaseUrl, `select * from page_layout where request_id = '${id}'`)).toEqual([]);
});

it('each item of a batch asks for itself', async () => {
  const { caller } = await house.account();
  const items = [ocrBody('tesseract', fox, { include: ['words'] }), ocrBody('tesseract', fox)];
  const bad = { ...ocrBody('tesseract', fox), include: ['everything'] };
  const reply = await caller.call<{ results: OcrAnswer[] }>('POST', '/v1/ocr/batch', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: [...items, bad] }),
  });
  const [asked, plain, refused] = reply.body.results;
  expect(wordOn(asked?.page_results?.[0], 'fox').polygon).toHaveLength(8);
  expect(plain).not.toHaveProperty('page_results');
  expect(refused).toMatchObject({ status: 'rejected', error: { code: 'invalid_request' } });
});

/** The dark pixels inside of bounds that are a little larger, as left, top, right and bottom in fractions. */
async function inkOf(picture: Buffer, [left, top, right, bottom]: readonly [number, number, number, number]) {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const margin = 4;
  const [x0, x1] = [Math.round(left * info.width) - margin, Math.round(right * info.width) + margin];
  const [y0, y1] = [Math.round(top * info.height) - margin, Math.round(bottom * info.height) + margin];
  const [xs, ys] = [[] as number[], [] as number[]];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++)
      if ((data[(y * info.width + x) * info.channels] ?? 255) < 128) {
        xs.push(x);
        ys.push(y);
      }
  const [w, h] = [info.width, info.height];
  return [Math.min(...xs) / w, Math.min(...ys) / h, (Math.max(...xs) + 1) / w, (Math.max(...ys) + 1) / h] as const;
}
