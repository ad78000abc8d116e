import { beforeEach, describe, expect, it } from 'vitest';
import { cutsShort, refuses, says } from '../../house/engine-answers.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

const MARKDOWN = '# Invoice\n\n**Total:** 12 EUR\n\n![logo](logo.png)Thank you';

describe('output_format text', () => {
  it('answers plain text with the markdown stripped', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', says(MARKDOWN));
    const reply = await caller.ocr(await pictureBody('reader', { output_format: 'text' }));
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    expect(reply.text).toContain('Invoice');
    expect(reply.text).toContain('Total: 12 EUR');
    expect(reply.text).toContain('Thank you');
    expect(reply.text).not.toMatch(/[#*!]|logo/);
  });

  it('gives plain text back byte for byte', async () => {
    const { caller } = await house.account();
    const text = 'Price list\n\n5 * 3 = 15\nfile_name_with_underscores\n| a | b |\n  indented';
    house.engines.script('reader', says(text));
    expect((await caller.ocr(await pictureBody('reader', { output_format: 'text' }))).text).toBe(text);
  });

  it('keeps the rule between pages', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', saysItsPage);
    const body = ocrBody('reader', pdfOfPages(2), { ...AT_72_DPI, page_count: 2, output_format: 'text' });
    expect((await caller.ocr(body)).text).toBe('text of page 1\n\n---\n\ntext of page 2');
  });
});

describe('output_format markdown', () => {
  it('puts the four lines before the output exactly as returned', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', says(MARKDOWN));
    const reply = await caller.ocr(await pictureBody('reader', { output_format: 'markdown' }));
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^text\/markdown/);
    const lines = reply.text.split('\n').filter((line) => line !== '');
    expect(lines.slice(0, 4)).toEqual(['# OCR Result', '**Engine:** reader', '**Status:** succeeded', '---']);
    expect(reply.text.endsWith(MARKDOWN)).toBe(true);
  });
});

describe.each(['text', 'markdown'])('output_format %s', (output_format) => {
  it('tells of the pages in headers', async () => {
    const { caller } = await house.account();
    const reply = await caller.ocr(ocrBody('reader', pdfOfPages(3), { ...AT_72_DPI, page_count: 2, output_format }));
    expect(reply.headers).toMatchObject({ 'x-ocr-pages': '2', 'x-ocr-pages-total': '3' });
    expect(reply.headers['x-ocr-warnings']).toMatch(/\S/);
  });

  it('joins several warnings with a space, a pipe and a space', async () => {
    const { caller } = await house.account();
    const fields = { ...AT_72_DPI, page_count: 2, colour: 'blue', output_format };
    const asText = await caller.ocr(ocrBody('reader', pdfOfPages(3), fields));
    const asJson = await caller.ocr(ocrBody('reader', pdfOfPages(3), { ...fields, output_format: 'json' }));
    expect(asJson.body.warnings?.length).toBeGreaterThanOrEqual(2);
    expect(asText.headers['x-ocr-warnings']).toBe(asJson.body.warnings?.join(' | '));
  });

  it('has no warning header when there is nothing to warn of', async () => {
    const { caller } = await house.account();
    const reply = await caller.ocr(await pictureBody('reader', { output_format }));
    expect(reply.headers['x-ocr-pages']).toBe('1');
    expect(reply.headers).not.toHaveProperty('x-ocr-warnings');
  });

  it('answers a refusal and a partial text as JSON with their usual codes', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', refuses('I will not read this.'));
    const refused = await caller.ocr(await pictureBody('reader', { output_format }));
    expect([refused.status, refused.body.status]).toEqual([202, 'refunded']);
    house.engines.script('reader', cutsShort('Only the first'));
    const partial = await caller.ocr(await pictureBody('reader', { output_format }));
    expect([partial.status, partial.body.status]).toEqual([200, 'partial']);
  });
});

describe('extracted_text_plain', () => {
  it('stands beside the text where the two differ', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', says('# C#\n\nIt is **fine**.'));
    const { body } = await caller.ocr(await pictureBody());
    expect(body.extracted_text).toBe('# C#\n\nIt is **fine**.');
    expect(body.extracted_text_plain).toContain('C#');
    expect(body.extracted_text_plain).toContain('It is fine.');
  });

  it('is left out where they are the same', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', says('Plain already.'));
    expect((await caller.ocr(await pictureBody())).body).not.toHaveProperty('extracted_text_plain');
  });
});
