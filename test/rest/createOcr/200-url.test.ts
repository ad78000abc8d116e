import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DocumentWeb } from '../../house/document-web.ts';
import { type OcrFields, urlBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';
import { picture } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');
const web = await DocumentWeb.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

async function read(url: string, { engine = 'reader', ...fields }: OcrFields & { engine?: string } = {}) {
  const { caller } = await house.account();
  const reply = await caller.ocr(urlBody(engine, url, fields));
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

it('reads a picture from an address', async () => {
  const url = web.put('/scan.png', { bytes: await picture({ width: 90, height: 70 }), type: 'image/png' });
  expect(await read(url)).toMatchObject({ status: 'succeeded', extracted_text: 'read by reader', pages: 1 });
  expect(await house.engines.calls('reader')[0]?.size()).toEqual({ width: 90, height: 70 });
});

it('goes by the content, not by the name or the content type', async () => {
  const url = web.put('/lies.txt', { bytes: await picture(), type: 'text/html' });
  expect((await read(url)).status).toBe('succeeded');
});

describe('a PDF', () => {
  it('is a PDF when the path ends in .pdf, whatever the query', async () => {
    house.engines.script('reader', saysItsPage);
    const url = web.put('/report.pdf', { bytes: pdfOfPages(2), type: 'application/pdf' });
    const body = await read(`${url}?download=1#page=2`, { ...AT_72_DPI, page_count: 2 });
    expect(body).toMatchObject({ extracted_text: 'text of page 1\n\n---\n\ntext of page 2', pages: 2, pages_total: 2 });
  });

  it('without the extension is read by an engine that reads PDFs itself', async () => {
    const bytes = pdfOfPages(1);
    const url = web.put('/download', { bytes, type: 'application/pdf' });
    expect((await read(url, { engine: 'whole' })).status).toBe('succeeded');
    expect(house.engines.calls('whole')[0]?.document.bytes.equals(bytes)).toBe(true);
  });
});

it('follows three redirects', async () => {
  web.put('/end.png', { bytes: await picture() });
  web.put('/hop2', { location: web.put('/hop3-is-absolute', { location: '/end.png' }), status: 301 });
  const url = web.put('/hop1', { location: '/hop2' });
  expect((await read(url)).status).toBe('succeeded');
  expect(web.hits.slice(-4)).toEqual(['/hop1', '/hop2', '/hop3-is-absolute', '/end.png']);
});

it('does not say how many pages a single picture has', async () => {
  const url = web.put('/single.png', { bytes: await picture() });
  expect(await read(url)).not.toHaveProperty('pages_total');
});
