import { createHash } from 'node:crypto';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../../../test/house/pdf.ts';
import { pdftotext } from '../../../../test/house/poppler.ts';
import { Documents } from '../documents.ts';
import { extendPdf, NotExtendableError } from './extend-pdf.ts';
import type { OutputLine } from './output-page.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 4e6,
  maxSentPixels: 4e6,
  maxPages: 50,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

/** Lines below each other, their words spread evenly; those of right-to-left scripts begin at the right. */
function linesOf(...texts: string[]): OutputLine[] {
  return texts.map((text, index) => {
    const parts = text.split(' ');
    const top = 0.1 + index * 0.05;
    const at = (from: number, to: number) => [from, top, to, top, to, top + 0.02, from, top + 0.02];
    const step = 0.8 / parts.length;
    const words = parts.map((part, index) => {
      const place = /[\u0590-\u06ff]/.test(text) ? parts.length - 1 - index : index;
      return { text: part, polygon: at(0.1 + place * step, 0.1 + (place + 0.96) * step) };
    });
    return { text, polygon: at(0.1, 0.9), words };
  });
}

/** Poppler puts them around what is written from right to left. */
const MARKS_OF_DIRECTION = /[\u202a-\u202e]/g;

/** The page's own streams are not touched. */
const DRAWN = { content: '0.5 g 72 72 100 300 re f' };

/** A page with a field that is signed: a hash of the file in place of a signature, of all but the hash itself. */
function signedPdf(): Buffer {
  const hash = `<${'0'.repeat(64)}>`;
  const range = '[0 000000 000000 000000]';
  const drawing = '0.5 g 72 72 100 300 re f';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /SigFlags 3 >> >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> /Contents 4 0 R /Annots [5 0 R] >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /V 6 0 R /Rect [0 0 0 0] /P 3 0 R /F 132 >>',
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange ${range} /Contents ${hash} >>`,
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  const draft = `${file}${table}${trailer}`;
  const from = draft.indexOf(hash);
  const to = from + hash.length;
  const numbers = [from, to, draft.length - to].map((number) => String(number).padStart(6, '0'));
  const ranged = draft.replace(range, `[0 ${numbers.join(' ')}]`);
  return Buffer.from(ranged.replace(hash, `<${hashOf(Buffer.from(ranged, 'latin1'))}>`), 'latin1');
}

/** Of the bytes that the file says to be signed. */
function hashOf(pdf: Buffer): string {
  const [, a, b, c, d] = /ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(pdf.toString('latin1'))?.map(Number) ?? [];
  const [first = 0, length = 0, second = 0, rest = 0] = [a, b, c, d];
  const parts = [pdf.subarray(first, first + length), pdf.subarray(second, second + rest)];
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
}

function isSigned(pdf: Buffer): boolean {
  return pdf.toString('latin1').includes(`/Contents <${hashOf(pdf)}>`);
}

async function textOf(bytes: Uint8Array, page = 1): Promise<string> {
  const [read] = await documents.text(Buffer.from(bytes), [page]);
  return read?.text ?? '';
}

async function pixelsOf(bytes: Uint8Array, page = 1): Promise<Buffer> {
  return (await documents.picture(Buffer.from(bytes), 'pdf', page, { dpi: 100, decoded: true })).bytes;
}

describe('a text layer', () => {
  const pdf = makePdf([DRAWN, DRAWN, DRAWN]);
  const pages = [
    { page: 1, lines: linesOf('The quick brown fox', 'jumps over') },
    { page: 3, lines: linesOf('the lazy dog') },
  ];

  it('is appended: the file begins with its bytes, and every page looks as it did', async () => {
    const { bytes, pages: written } = await extendPdf(pdf, pages, { documentPages: 3 });
    expect(written).toEqual([1, 3]);
    expect(Buffer.from(bytes.subarray(0, pdf.length))).toEqual(pdf);
    for (const page of [1, 2, 3]) expect(await pixelsOf(bytes, page)).toEqual(await pixelsOf(pdf, page));
  });

  it('is found on its pages, with single blanks', async () => {
    const { bytes } = await extendPdf(pdf, pages, { documentPages: 3 });
    expect(await textOf(bytes, 1)).toBe('The quick brown fox\njumps over');
    expect(await textOf(bytes, 2)).toBe('');
    expect(await textOf(bytes, 3)).toBe('the lazy dog');
  });

  it('leaves the bytes alone that a signature is of, and the signature', async () => {
    const signed = signedPdf();
    expect(isSigned(signed)).toBe(true);
    const { bytes } = await extendPdf(signed, [{ page: 1, lines: linesOf('The fox') }], { documentPages: 1 });
    expect(await textOf(bytes)).toBe('The fox');
    expect(isSigned(Buffer.from(bytes))).toBe(true);
    const behind = Buffer.from(bytes.subarray(signed.length)).toString('latin1');
    expect(behind).not.toMatch(/ByteRange|^[56] 0 obj/m);
    expect(isSigned(Buffer.concat([signed.subarray(0, 300), Buffer.from(' '), signed.subarray(300)]))).toBe(false);
  });

  it('is the same bytes for the same reading', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => extendPdf(pdf, pages, { documentPages: 3 })));
    expect(one?.bytes).toEqual(other?.bytes);
  });

  it.each([0, 90, 180, 270] as const)('is found on a page turned by %i', async (rotate) => {
    const turned = makePdf([{ ...DRAWN, rotate }]);
    const lines = linesOf('The quick brown fox', 'jumps over the lazy dog');
    const { bytes } = await extendPdf(turned, [{ page: 1, lines }], { documentPages: 1 });
    expect(await textOf(bytes)).toBe('The quick brown fox\njumps over the lazy dog');
    expect(await pixelsOf(bytes)).toEqual(await pixelsOf(turned));
  });

  const SCRIPTS: [name: string, text: string][] = [
    ['Japanese', '日本語の文章 二番目'],
    ['Arabic in logical order', 'مرحبا بالعالم'],
    ['Hebrew in logical order', 'שלום עולם'],
    ['emoji and other characters beyond the first plane', 'party 🎉 clef 𝄞 end'],
    ['accents', 'Größe naïve Łódź'],
  ];

  it.each(SCRIPTS)('keeps %s', async (_, text) => {
    const { bytes } = await extendPdf(makePdf([{}]), [{ page: 1, lines: linesOf(text) }], { documentPages: 1 });
    expect(await textOf(bytes)).toBe(text);
  });

  it.for(SCRIPTS)('keeps %s for poppler, too', async ([, text], context) => {
    const { bytes } = await extendPdf(makePdf([{}]), [{ page: 1, lines: linesOf(text) }], { documentPages: 1 });
    expect(pdftotext(bytes, context).replaceAll(MARKS_OF_DIRECTION, '').trim()).toBe(text);
  });

  it('has ligatures that readers take apart', async () => {
    const { bytes } = await extendPdf(makePdf([{}]), [{ page: 1, lines: linesOf('ﬁrst oﬀer') }], { documentPages: 1 });
    expect((await textOf(bytes)).normalize('NFKC')).toBe('first offer');
  });

  it('leaves the file as it is where there is nothing to write', async () => {
    expect(await extendPdf(pdf, [{ page: 2, lines: [] }], { documentPages: 3 })).toEqual({ bytes: pdf, pages: [] });
  });

  it('takes a name that the page has not given to another font', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage();
    page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { OcrR: { Type: 'Font' } } }));
    const { bytes } = await extendPdf(await document.save(), [{ page: 1, lines: linesOf('here') }], {
      documentPages: 1,
    });
    expect(await textOf(bytes)).toBe('here');
  });

  it('is appended to a file of compressed objects in the same way', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage([300, 400]).setCropBox(50, 60, 200, 250);
    const packed = await document.save({ useObjectStreams: true });
    const { bytes } = await extendPdf(packed, [{ page: 1, lines: linesOf('within the box') }], { documentPages: 1 });
    expect(Buffer.from(bytes.subarray(0, packed.length))).toEqual(Buffer.from(packed));
    expect(await textOf(bytes)).toBe('within the box');
  });
});

describe('what cannot be extended', () => {
  const extend = (bytes: Uint8Array, documentPages = 1) =>
    extendPdf(bytes, [{ page: 1, lines: linesOf('text') }], { documentPages });

  it.each([
    ['an encrypted file', makePdf([DRAWN], { passwords: { user: '', owner: 'secret' } }), 1],
    ['a file that begins with something else', Buffer.concat([Buffer.from('\n\n'), makePdf([DRAWN])]), 1],
    ['a file whose pages are counted differently', makePdf([DRAWN, DRAWN]), 1],
    ['a file without a cross-reference', Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'), 1],
    ['no PDF at all', Buffer.from('GIF89a'), 1],
  ])('says so: %s', async (_, bytes, pages) => {
    await expect(extend(bytes, pages)).rejects.toBeInstanceOf(NotExtendableError);
  });
});
