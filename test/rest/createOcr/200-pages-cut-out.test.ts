import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import type { EngineCall } from '../../house/engine-call.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';

const house = await openHouse({
  engines: {
    whole: { native_pdf: true, page_range: true },
    paddle: { adapter: 'paddle', native_pdf: true, page_range: true, probe: false },
  },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const FIVE = makePdf(Array.from({ length: 5 }, (_, i) => ({ text: `This is what stands on page ${i + 1}.` })));

/** A form that a reader lays out itself: what is cut out of it is no form. */
const DYNAMIC_FORM = '/NeedsRendering true /AcroForm << /Fields [] /XFA (x) >>';

/** The text of each page of what the engine was sent, by the service's own reader. */
async function textsOf(call: EngineCall): Promise<string[]> {
  const { caller } = await house.account();
  const { mimeType, bytes } = call.document;
  expect(mimeType).toBe('application/pdf');
  const { body } = await caller.ocr(ocrBody('pdf-text', bytes, { settings: { page_range: '1-5' } }));
  return Array.from({ length: body.pages_total ?? 0 }, (_, i) => body.extracted_text?.split('\n\n---\n\n')[i] ?? '');
}

describe('a model that is sent whole PDFs', () => {
  it('is sent the pages that are asked for, and what it reads has their numbers in the document', async () => {
    const { caller } = await house.account();
    house.engines.script('whole', says('[[page 1]]\nthe second\n\n[[page 2]]\nthe fourth'));
    const fields = { settings: { page_range: '2,4' }, include: ['pages'] };
    const { status, body } = await caller.ocr(ocrBody('whole', FIVE, fields));
    expect([status, body.status, body.pages, body.pages_total]).toEqual([200, 'succeeded', 2, 5]);
    expect(body.page_results).toMatchObject([
      { page: 2, state: 'read', text: 'the second' },
      { page: 4, state: 'read', text: 'the fourth' },
    ]);
    const [call] = await house.engines.called('whole');
    expect(call && (await textsOf(call))).toEqual(['This is what stands on page 2.', 'This is what stands on page 4.']);
  });

  it('is asked for a single page as for a document, whatever number is printed on it', async () => {
    const { caller } = await house.account();
    house.engines.script('whole', says('the third'));
    const { body } = await caller.ocr(ocrBody('whole', FIVE, { settings: { page_range: '3' }, include: ['pages'] }));
    expect(body.page_results).toMatchObject([{ page: 3, state: 'read', text: 'the third' }]);
    const [call] = await house.engines.called('whole');
    expect(call && (await textsOf(call))).toEqual(['This is what stands on page 3.']);
    expect(call?.prompt).not.toMatch(/only page|\[\[page/);
  });

  it('is sent the document as it is where all of it is asked for', async () => {
    const { caller } = await house.account();
    await caller.ocr(ocrBody('whole', FIVE, { page_count: 5 }));
    const [call] = await house.engines.called('whole');
    expect(call?.document.bytes.equals(FIVE)).toBe(true);
  });

  it('is sent the whole document, and told which pages, where they would not look the same alone', async () => {
    const { caller } = await house.account();
    house.engines.script('whole', says('[[page 2]]\nthe second\n\n[[page 4]]\nthe fourth'));
    const form = Buffer.from(
      FIVE.toString('latin1').replace('/Type /Catalog', `${DYNAMIC_FORM} /Type /Catalog`),
      'latin1',
    );
    const { body } = await caller.ocr(ocrBody('whole', form, { settings: { page_range: '2,4' }, include: ['pages'] }));
    expect(body.page_results).toMatchObject([
      { page: 2, text: 'the second' },
      { page: 4, text: 'the fourth' },
    ]);
    const [call] = await house.engines.called('whole');
    expect(call?.document.bytes.equals(form)).toBe(true);
    expect(call?.prompt).toContain('only these pages of the document, counted from 1: 2, 4.');
  });
});

describe('an engine that reads the first pages of a file alone', () => {
  it('is sent those that are asked for', async () => {
    const { caller } = await house.account();
    const page = (text: string) => ({ prunedResult: { rec_texts: [text], rec_scores: [0.9] } });
    const ocrResults = [page('the second'), page('the fifth')];
    house.engines.script('paddle', { kind: 'json', status: 200, body: { errorCode: 0, result: { ocrResults } } });
    const { body } = await caller.ocr(ocrBody('paddle', FIVE, { settings: { page_range: '2,5' }, include: ['pages'] }));
    expect(body.page_results).toMatchObject([
      { page: 2, text: 'the second' },
      { page: 5, text: 'the fifth' },
    ]);
  });
});
