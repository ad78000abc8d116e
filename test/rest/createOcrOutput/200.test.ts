import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it, type TestContext } from 'vitest';
import type { OcrAnswer } from '../../house/answers.ts';
import { UNDRAWABLE_PAGE } from '../../house/broken-documents.ts';
import { says } from '../../house/engine-answers.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { outputOf } from '../../house/output.ts';
import { makePdf } from '../../house/pdf.ts';
import { pdftotext } from '../../house/poppler.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { boundsOf, wordOn, wordsOf } from '../../house/word-boxes.ts';

const house = await sharedHouse();
const { caller } = await house.account();

const fox = await readFile(new URL('../../fixtures/quick-brown-fox.png', import.meta.url));
const { width, height } = await sharp(fox).metadata();
const jpeg = await sharp(fox).jpeg({ quality: 95 }).toBuffer();
const scan = { picture: { jpeg, width, height }, size: [width * 0.48, height * 0.48] } as const;
const FOX = /quick brown fox jumps[\s\S]*lazy dog[\s\S]*Invoice number 48213/;

async function read(document: Buffer, fields: Record<string, unknown> = {}): Promise<string> {
  return (await readWords(document, fields)).request_id;
}

async function readWords(document: Buffer, fields: Record<string, unknown> = {}): Promise<OcrAnswer> {
  const { status, text, body } = await caller.ocr(ocrBody('tesseract', document, { include: ['words'], ...fields }));
  // A slow answer has begun as 202.
  expect(body.http_status ?? status, text).toBe(200);
  return body;
}

describe('a scanned PDF', async () => {
  const document = makePdf([scan, { ...scan, rotate: 90 }]);
  const { request_id: requestId, page_results } = await readWords(document, { page_count: 2 });
  const letters = (page_results ?? []).flatMap(wordsOf).reduce((sum, { text }) => sum + [...text].length, 0);
  const { status, headers, bytes } = await outputOf(caller, { requestId, document });

  it('comes back as it was, with something behind it', () => {
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${requestId}.pdf"`,
      'content-length': String(bytes.length),
      'x-ocr-output': 'extended',
      'x-ocr-output-pages': '2',
    });
    expect(bytes.subarray(0, document.length)).toEqual(document);
    expect(letters).toBeGreaterThan(100);
    expect(bytes.length - document.length).toBeLessThanOrEqual(4096 + 12 * letters);
  });

  it('has its text, with single blanks', (context) => {
    const [first = '', second = ''] = pdftotext(bytes, context).split('\f');
    expect(first).toMatch(FOX);
    expect(second).toMatch(/quick brown fox/);
    expect(first).not.toMatch(/ {2}/);
  });

  it('is the same bytes again', async () => {
    expect((await outputOf(caller, { requestId, document })).bytes).toEqual(bytes);
  });
});

it('a picture becomes a PDF', async (context) => {
  const requestId = await read(fox);
  const { status, headers, bytes } = await outputOf(caller, { requestId, document: fox });
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'x-ocr-output': 'rebuilt', 'x-ocr-output-pages': '1' });
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdftotext(bytes, context)).toMatch(FOX);
});

/** Where a word stands in a PDF's text as another reader finds it, in fractions of the page. */
function placeOf(pdf: Buffer, word: string, context: Pick<TestContext, 'skip'>): number[] {
  const text = pdftotext(pdf, context, '-bbox');
  const [, ...size] = /<page width="([\d.]+)" height="([\d.]+)">/.exec(text) ?? [];
  const box = new RegExp(`xMin="([\\d.-]+)" yMin="([\\d.-]+)" xMax="([\\d.-]+)" yMax="([\\d.-]+)">${word}<`);
  return (box.exec(text) ?? []).slice(1).map((value, side) => Number(value) / Number(size[side % 2]));
}

it('a picture that its EXIF turns becomes an upright page, with its layer on what it shows', async (context) => {
  const stored = await sharp(jpeg).rotate(270).toBuffer();
  const document = await sharp(stored).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
  const sent = await caller.ocr(ocrBody('tesseract', document, { include: ['words'] }));
  expect(sent.body.http_status ?? sent.status, sent.text).toBe(200);
  const wanted = boundsOf(wordOn(sent.body.page_results?.[0], 'fox'));
  const { status, bytes } = await outputOf(caller, { requestId: sent.body.request_id, document });
  expect(status).toBe(200);
  const drawn = await caller.ocr(ocrBody('tesseract', bytes, { include: ['words'] }));
  const [page] = drawn.body.page_results ?? [];
  expect((page?.width ?? 0) / (page?.height ?? 1)).toBeCloseTo(width / height, 2);
  const found = placeOf(bytes, 'fox', context);
  expect(found).toHaveLength(4);
  for (const [side, value] of boundsOf(wordOn(page, 'fox')).entries()) {
    expect(Math.abs(value - (wanted[side] ?? 2)), `side ${side}`).toBeLessThan(0.01);
    // Boxes of text are as high as the font says.
    expect(Math.abs(value - (found[side] ?? 2)), `side ${side} of the layer`).toBeLessThan(0.02);
  }
});

it('a page that was not read has no layer, and is as it was', async (context) => {
  const document = makePdf([scan, UNDRAWABLE_PAGE]);
  const sent = await caller.ocr(ocrBody('tesseract', document, { include: ['words'], page_count: 2 }));
  expect(sent.body.status, sent.text).toBe('partial');
  const { status, headers, bytes } = await outputOf(caller, { requestId: sent.body.request_id, document });
  expect([status, headers['x-ocr-output'], headers['x-ocr-output-pages']]).toEqual([200, 'extended', '1']);
  expect(bytes.subarray(0, document.length)).toEqual(document);
  const [first, second] = pdftotext(bytes, context).split('\f');
  expect([first?.includes('lazy dog'), second?.trim()]).toEqual([true, '']);
});

describe('a PDF with text of its own', async () => {
  const document = makePdf([{ text: 'Of its own' }, scan]);
  const requestId = await read(document, { page_count: 2 });

  it('gets a layer where it has none', async (context) => {
    const { headers, bytes } = await outputOf(caller, { requestId, document });
    expect(headers['x-ocr-output-pages']).toBe('1');
    expect(pdftotext(bytes, context).split('\f')[1]).toMatch(FOX);
  });

  it('gets one on every page that was read on request', async () => {
    const { headers } = await outputOf(caller, { requestId, document, query: 'format=pdf&text_layer=all' });
    expect(headers['x-ocr-output-pages']).toBe('2');
  });

  it('gets one on the named page alone', async () => {
    const query = 'format=pdf&text_layer=all&page=1';
    const { headers } = await outputOf(caller, { requestId, document, query });
    expect(headers['x-ocr-output-pages']).toBe('1');
  });
});

it('a document whose pages all have text of their own comes back as it is', async () => {
  const document = makePdf([{ text: 'Of its own' }]);
  const { headers, bytes } = await outputOf(caller, { requestId: await read(document), document });
  expect(headers).toMatchObject({ 'x-ocr-output': 'extended', 'x-ocr-output-pages': '0' });
  expect(bytes).toEqual(document);
});

it('a PDF that only its owner may change is made anew', async (context) => {
  const document = makePdf([scan], { passwords: { user: '', owner: 'secret' } });
  const { headers, bytes } = await outputOf(caller, { requestId: await read(document), document });
  expect(headers['x-ocr-output']).toBe('rebuilt');
  expect(pdftotext(bytes, context)).toMatch(FOX);
});

it('a PDF that is made anew has the text of all pages that were read, also of those that had one of their own', async (context) => {
  const document = makePdf([{ text: 'Of its own 0042' }, scan], { passwords: { user: '', owner: 'secret' } });
  const { headers, bytes } = await outputOf(caller, { requestId: await read(document, { page_count: 2 }), document });
  expect(headers).toMatchObject({ 'x-ocr-output': 'rebuilt', 'x-ocr-output-pages': '2' });
  const [first, second] = pdftotext(bytes, context).split('\f');
  expect(first).toContain('0042');
  expect(second).toMatch(FOX);
});

it('a page of which it is not known where its text stands has no layer, and is not counted', async () => {
  house.engines.script('reader', says('Seen by a reader of pictures'));
  const document = makePdf([{ text: 'Typed words' }, scan]);
  const fields = { page_count: 2, include: ['words'], fallback_engine: 'reader' };
  const sent = await caller.ocr(ocrBody('pdf-text', document, fields));
  expect(sent.body.page_results?.map(({ positions }) => positions)).toEqual(['word', 'none']);
  const query = 'format=pdf&text_layer=all';
  const { status, headers } = await outputOf(caller, { requestId: sent.body.request_id, document, query });
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'x-ocr-output': 'extended', 'x-ocr-output-pages': '1' });
});

it('costs nothing', async () => {
  const requestId = await read(fox);
  const before = await caller.get('/v1/usage');
  await outputOf(caller, { requestId, document: fox });
  expect((await caller.get('/v1/usage')).body).toEqual(before.body);
});
