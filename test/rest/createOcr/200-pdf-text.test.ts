import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { type OcrFields, ocrBody } from '../../house/ocr-body.ts';
import { makePdf, type PdfPage } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';

const house = await openHouse({ engines: { reader: { price_per_page_usd: 0.03 } } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const TEXT = 'This page carries its own text.\nNothing has to be recognised here.';
const jpeg = await pictureAs('jpeg', { width: 400, height: 600 });
const typed: PdfPage = { text: TEXT };
const scanned: PdfPage = { picture: { jpeg, width: 400, height: 600 } };
const scannedWithHiddenText: PdfPage = { ...scanned, text: 'what some other program read', invisible: true };

async function read(pages: PdfPage[], fields: OcrFields = {}) {
  const { accountId, caller } = await house.account({ credit: 1 });
  const reply = await caller.ocr(ocrBody('pdf-text', makePdf(pages), { page_count: pages.length, ...fields }));
  return { ...reply, body: reply.body, accountId };
}

const words = (text: string | null | undefined) => text?.replace(/\s+/g, ' ').trim();
const catalogue = await house.stranger.get<{ data: { id: string; price_per_page_usd: number }[] }>('/v1/engines');
const PRICE = catalogue.body.data.find(({ id }) => id === 'pdf-text')?.price_per_page_usd ?? Number.NaN;

it('reads the text that a PDF carries, and calls nobody', async () => {
  const { status, body } = await read([typed, { text: 'The second page.' }]);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'succeeded', engine: 'pdf-text', pages: 2, pages_total: 2 });
  expect(body.extracted_text?.split('\n\n---\n\n').map(words)).toEqual([words(TEXT), 'The second page.']);
  expect(body.cost_debited).toBe(PRICE * 2);
  expect(house.engines.calls('reader')).toEqual([]);
});

describe('a scanned page', () => {
  it('contributes nothing by default, a warning names it, and it is billed as a page', async () => {
    const { body } = await read([typed, scanned]);
    expect(body).toMatchObject({ status: 'succeeded', pages: 2 });
    expect(body.extracted_text).not.toMatch(/recognised by/);
    expect(body.warnings?.join('\n')).toMatch(/\b2\b/);
    expect(body.cost_debited).toBe(PRICE * 2);
  });

  it('is still a scan when it has invisible text over its picture', async () => {
    const { body } = await read([scannedWithHiddenText, typed], { scanned_handling: 'skip' });
    expect(body.extracted_text).not.toContain('some other program');
    expect(words(body.extracted_text)).toContain(words(TEXT));
    expect(body.warnings?.join('\n')).toMatch(/\b1\b/);
  });

  it('is read by the fallback engine when one is named, at that engine’s price', async () => {
    house.engines.script('reader', says('recognised by another'));
    const { body, accountId } = await read([typed, scanned], { fallback_engine: 'reader' });
    expect(body).toMatchObject({ status: 'succeeded', engine: 'pdf-text', pages: 2 });
    expect(body.extracted_text?.split('\n\n---\n\n').map(words)).toEqual([words(TEXT), 'recognised by another']);
    expect(body.warnings?.join('\n')).toContain('reader');
    expect(house.engines.calls('reader')).toHaveLength(1);
    expect(body.cost_debited).toBeCloseTo(PRICE + 0.03, 9);
    await expectBalance(house, accountId, Number((1 - PRICE - 0.03).toFixed(9)));
  });

  it('is an error naming the page when the caller wants it so', async () => {
    const { status, body, accountId } = await read([typed, scanned], { scanned_handling: 'error' });
    expect(status).toBe(422);
    expect(body.error?.code).toBe('unprocessable_entity');
    expect(body.error?.message).toMatch(/\b2\b/);
    await expectBalance(house, accountId, 1);
  });
});

it('understands page_range', async () => {
  const { body } = await read([typed, { text: 'The second page.' }], {
    page_count: undefined,
    settings: { page_range: '2' },
  });
  expect(body).toMatchObject({ extracted_text: 'The second page.', pages: 1, pages_total: 2 });
});
