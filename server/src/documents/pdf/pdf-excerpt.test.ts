import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { ENDLESS_PAGE } from '../../../../test/house/broken-documents.ts';
import { makePdf, type PdfPage } from '../../../../test/house/pdf.ts';
import { Documents, type DocumentsOptions } from '../documents.ts';

const OPTIONS: DocumentsOptions = {
  threads: 1,
  maxPixels: 40e6,
  maxSentPixels: 40e6,
  maxPages: 50,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
};
const documents = new Documents(OPTIONS);
afterAll(() => documents[Symbol.asyncDispose]());

const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c33' } })
  .jpeg()
  .toBuffer();
const PAGES: PdfPage[] = [
  { text: 'the first page' },
  { text: 'the second page\nof two lines', size: [300, 500] },
  { text: 'on its side', rotate: 90 },
  { text: 'and a scan', picture: { jpeg, width: 60, height: 40, box: [50, 300, 300, 200] }, invisible: true },
  { text: 'with a field', field: 'filled in', rotate: 270 },
];

async function pixels(bytes: Buffer, page: number) {
  const picture = await documents.picture(bytes, 'pdf', page, { dpi: 72 });
  const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true });
  return { size: [info.width, info.height], isEmpty: data.every((level) => level === 255), data };
}

/** Expects that the excerpt shows the pages, as they are drawn for any engine. */
async function expectToShow(excerpt: Buffer | null, pdf: Buffer, pages: readonly number[]) {
  expect(excerpt && (await documents.inspect(excerpt))).toEqual({ format: 'pdf', pages: pages.length, warnings: [] });
  if (!excerpt) return;
  for (const [index, number] of pages.entries()) {
    const [before, after] = [await pixels(pdf, number), await pixels(excerpt, index + 1)];
    expect(after.size).toEqual(before.size);
    expect(before.isEmpty).toBe(false);
    expect(after.data.equals(before.data), `page ${number}`).toBe(true);
  }
  const texts = async (bytes: Buffer, numbers: readonly number[]) =>
    (await documents.text(bytes, numbers)).map(({ text }) => text);
  const numbers = pages.map((_, index) => index + 1);
  expect(await texts(excerpt, numbers)).toEqual(await texts(pdf, pages));
}

describe('an excerpt', () => {
  const pdf = makePdf(PAGES);

  it.each([[[1]], [[2, 4]], [[3, 5]], [[1, 2, 3, 4, 5]]])('shows the pages %j as the document does', async (pages) => {
    await expectToShow(await documents.excerpt(pdf, pages), pdf, pages);
  });

  it('is readable without a key where only the owner may change the document', async () => {
    const locked = makePdf(PAGES, { passwords: { user: '', owner: 'secret' } });
    const excerpt = await documents.excerpt(locked, [2, 5]);
    await expectToShow(excerpt, locked, [2, 5]);
    expect(excerpt?.includes('/Encrypt')).toBe(false);
  });

  it('has nothing of the other pages', async () => {
    const pages = [{ text: 'short' }, { picture: { bits: randomBytes(50_000), width: 400, height: 1000 } }];
    const excerpt = await documents.excerpt(makePdf(pages), [1]);
    expect(excerpt?.length).toBeLessThan(10_000);
  });

  it('is made of the document as it was sent, whatever was drawn of it before', async () => {
    const drawn = makePdf(PAGES);
    const before = await documents.excerpt(drawn, [5]);
    await documents.picture(drawn, 'pdf', 5, { dpi: 72 });
    expect((await documents.excerpt(drawn, [5]))?.length).toBe(before?.length);
  });
});

describe('the fields of a form', () => {
  const form = (...annotations: readonly string[]) =>
    madeByHand({
      annotations,
      content: 'BT /F 12 Tf 50 250 Td (Name) Tj ET',
      catalog: '/AcroForm << /Fields [6 0 R] >>',
    });
  const LOOK = '/AP << /N 5 0 R >>';
  const field = (more: string) => `<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /Rect [50 50 250 70] ${more} >>`;
  const square = (more: string) => `<< /Type /Annot /Subtype /Square /F 4 /C [0 0 0] /Rect [50 150 250 170] ${more} >>`;

  it('are a part of the page, as they look, and what else is written on it is kept', async () => {
    const pdf = form(field(`/V (filled) ${LOOK}`), square(LOOK));
    const excerpt = await documents.excerpt(pdf, [1]);
    await expectToShow(excerpt, pdf, [1]);
    expect(excerpt?.includes('/Widget')).toBe(false);
    expect((await documents.text(excerpt ?? pdf, [1]))[0]?.text).toContain('look');
  });

  it('may be empty, and without a look', async () => {
    const pdf = form(field(''), field('/T (name) /Parent 7 0 R'), field(`/V (filled) ${LOOK}`));
    await expectToShow(await documents.excerpt(pdf, [1]), pdf, [1]);
  });

  it.each([
    ['a value that its viewer draws', field('/V (filled)')],
    ['a place of a field that may have one', field('/Parent 6 0 R')],
    ['a square that its viewer draws', square('')],
  ])('are not taken apart from their form beside %s', async (_name, other) => {
    expect(await documents.excerpt(form(field(`/V (filled) ${LOOK}`), other), [1])).toBeNull();
  });

  it('are none where annotations stand alone, which are kept as they are', async () => {
    const pdf = form(square(''));
    const excerpt = await documents.excerpt(pdf, [1]);
    await expectToShow(excerpt, pdf, [1]);
    expect(excerpt?.includes('/Square')).toBe(true);
  });
});

describe('layers', () => {
  it('that are shown are in the excerpt', async () => {
    const pdf = layered('/ON [6 0 R]');
    await expectToShow(await documents.excerpt(pdf, [1]), pdf, [1]);
  });

  it('that are hidden would be shown there: there is none', async () => {
    expect(await documents.excerpt(layered('/OFF [6 0 R]'), [1])).toBeNull();
  });
});

describe('there is no excerpt', () => {
  const small = makePdf(PAGES);

  it('of pages that are not there, or of what is no PDF', async () => {
    expect(await documents.excerpt(small, [9])).toBeNull();
    expect(await documents.excerpt(Buffer.from('%PDF-1.7 and no more'), [1])).toBeNull();
  });

  it('of a form that its reader lays out itself', async () => {
    expect(await documents.excerpt(makePdf([{ text: 'one' }, {}], { dynamicXfa: true }), [1])).toBeNull();
  });

  it('that is much larger than the document, or larger than what may be sent', async () => {
    const both = [1, 2];
    const large = sharing(12_000);
    expect(await documents.excerpt(large, [1])).not.toBeNull();
    expect(await documents.excerpt(large, both)).toBeNull();
    const little = sharing(3000);
    expect(await documents.excerpt(little, both)).not.toBeNull();
    await using bounded = new Documents({ ...OPTIONS, maxDocumentBytes: 5000 });
    expect(await bounded.excerpt(little, both)).toBeNull();
  });

  it('that takes too much memory; the next one is made', async () => {
    await using bounded = new Documents({ ...OPTIONS, memoryMb: 32 });
    const picture = { bits: randomBytes(14e6), width: 8000, height: 14_000 };
    expect(await bounded.excerpt(makePdf([{ text: 'one' }, { picture }]), [2])).toBeNull();
    expect(await bounded.excerpt(small, [1])).not.toBeNull();
  });

  it('that takes too long; the next one is made', async () => {
    await using bounded = new Documents({ ...OPTIONS, pdfTimeoutMs: 2000 });
    const endless = layered('/ON [6 0 R]', ENDLESS_PAGE.content?.repeat(20));
    expect(await bounded.excerpt(endless, [1])).toBeNull();
    expect(await bounded.excerpt(small, [1])).not.toBeNull();
  });

  it('when the caller gives up, who hears why', async () => {
    const gone = new AbortController();
    const cutting = documents.excerpt(small, [1], { signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(cutting).rejects.toThrow('gone');
  });
});

/** A page with a layer, which is hidden or shown. */
function layered(state: string, content = '50 50 100 100 re f'): Buffer {
  return madeByHand({
    content: `BT /F 12 Tf 50 250 Td (Name) Tj ET /OC /Layer BDC ${content} EMC`,
    resources: '/Properties << /Layer 6 0 R >>',
    annotations: ['<< /Type /OCG /Name (a layer) >>'],
    catalog: `/OCProperties << /OCGs [6 0 R] /D << ${state} >> >>`,
  });
}

/** Two pages that have so many bytes in common, which each has for itself where they are copied. */
function sharing(bytes: number): Buffer {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>';
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /Resources << /Properties << /P (${'x'.repeat(bytes)}) >> >> >>`,
    page,
    page,
  ]);
}

/** One page with an appearance (object 5), annotations from object 6 on, and more in its catalog. */
function madeByHand(parts: {
  readonly content: string;
  readonly resources?: string;
  readonly annotations?: readonly string[];
  readonly catalog: string;
}): Buffer {
  const { content, resources = '', annotations = [], catalog } = parts;
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
  const look = 'BT /F 12 Tf 2 6 Td (the look) Tj ET';
  const references = annotations.map((_, index) => `${index + 6} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Annots [${references}]
/Resources << /Font << /F ${font} >> ${resources} >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F ${font} >> >> /Length ${look.length} >>
stream\n${look}\nendstream`,
    ...annotations,
  ];
  return fileOf(objects);
}

/** Without a cross-reference table: the file is searched for its objects. */
function fileOf(objects: readonly string[]): Buffer {
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.5\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`, 'latin1');
}
