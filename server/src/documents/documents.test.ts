import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../../test/house/pdf.ts';
import { Documents } from './documents.ts';

const documents = new Documents({
  threads: 2,
  maxPixels: 4e6,
  maxSentPixels: 2e6,
  maxPages: 50,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

describe('inspecting', () => {
  it('counts the pages of a PDF', async () => {
    const pdf = makePdf([{ text: 'one' }, { text: 'two' }, {}]);
    expect(await documents.inspect(pdf)).toEqual({ format: 'pdf', pages: 3, warnings: [] });
  });

  it('counts the pages of a TIFF, and takes any other picture as one page', async () => {
    const frames = await Promise.all([10, 20].map((grey) => flat(grey).png().toBuffer()));
    const tiff = await sharp(frames, { join: { animated: true } })
      .tiff()
      .toBuffer();
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await documents.inspect(tiff)).toMatchObject({ format: 'tiff', pages: 2 });
    expect(await documents.inspect(gif)).toMatchObject({ format: 'gif', pages: 1 });
    expect(await documents.inspect(await flat(0).webp().toBuffer())).toMatchObject({ format: 'webp', pages: 1 });
  });

  it('reads the asked page of a TIFF', async () => {
    const frames = await Promise.all([10, 240].map((grey) => flat(grey).png().toBuffer()));
    const tiff = await sharp(frames, { join: { animated: true } })
      .tiff()
      .toBuffer();
    const levels = await Promise.all(
      [1, 2].map(async (page) => {
        const { bytes } = await documents.picture(tiff, 'tiff', page, { dpi: null });
        return (await sharp(bytes).raw().toBuffer())[0];
      }),
    );
    expect(levels).toEqual([10, 240]);
  });

  it('reads a PDF that only its owner may change', async () => {
    const pdf = makePdf([{ text: 'for everyone' }], { passwords: { user: '', owner: 'secret' } });
    expect(await documents.inspect(pdf)).toMatchObject({ pages: 1 });
    expect(await documents.text(pdf, [1])).toMatchObject([{ text: 'for everyone' }]);
  });

  it('repairs a damaged PDF, with a warning', async () => {
    const damaged = edited(makePdf([{ text: 'still here' }]), /startxref\n\d+/, 'startxref\n7');
    expect(await documents.inspect(damaged)).toMatchObject({
      pages: 1,
      warnings: [expect.stringContaining('damaged')],
    });
    expect(await documents.text(damaged, [1])).toMatchObject([{ text: 'still here' }]);
  });

  it('counts the pages that are there when a PDF claims more', async () => {
    const pdf = makePdf([{ text: 'one' }, { text: 'two' }], { count: 40 });
    expect(await documents.inspect(pdf)).toMatchObject({ pages: 2, warnings: [expect.stringContaining('damaged')] });
  });

  it('is not led astray by a negative page count', async () => {
    expect(await documents.inspect(makePdf([{ text: 'one' }], { count: -2147483648 }))).toMatchObject({ pages: 1 });
  });

  const one = makePdf([{ text: 'a page' }]);
  it.each<[string, Buffer | Promise<Buffer>, string]>([
    ['an empty file', Buffer.alloc(0), 'is empty'],
    ['HTML', Buffer.from('<!DOCTYPE html><html><body>Please log in</body></html>'), 'web page (HTML)'],
    ['SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'SVG'],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), 'HEIC'],
    ['an office file', Buffer.from('PK\x03\x04 and more'), 'office file'],
    ['anything else', Buffer.from('just some words'), 'not in a supported format'],
    ['a PDF with a password', makePdf([{ text: 'x' }], { passwords: { user: 'u', owner: 'o' } }), 'password-protected'],
    ['a PDF without pages', makePdf([]), 'no pages'],
    ['a PDF with too many pages', makePdf(Array.from({ length: 51 }, () => ({}))), 'limit is 50'],
    ['a PDF that ends after its header', Buffer.from('%PDF-1.7\n%%EOF'), 'corrupt'],
    ['a PDF whose page tree is a circle', edited(one, /\/Kids \[.*?\]/, '/Kids [2 0 R]'), 'no page that can be read'],
    ['a PDF that is only a dynamic XFA form', makePdf([{ text: 'Please wait...' }], { dynamicXfa: true }), 'XFA'],
    ['a picture with too many pixels', flat(0, { width: 2001, height: 2000 }).png().toBuffer(), 'too many pixels'],
    ['a PNG that was cut off', half(flat(0).png().toBuffer()), 'cut off'],
    ['a JPEG that was cut off', half(flat(0).jpeg().toBuffer()), 'cut off'],
    ['a WEBP that was cut off', half(flat(0).webp({ lossless: true }).toBuffer()), 'cut off'],
  ])('refuses %s with a plain reason', async (_, bytes, reason) => {
    await expect(documents.inspect(await bytes)).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringContaining(reason),
    });
  });

  it('reads a dynamic XFA form that has pages of its own, with a warning', async () => {
    const pdf = makePdf([{ text: 'Application for a permit' }], { dynamicXfa: true });
    expect(await documents.inspect(pdf)).toMatchObject({ pages: 1, warnings: [expect.stringContaining('XFA')] });
  });
});

describe('the text of PDF pages', () => {
  it('keeps lines, and the order that was asked for', async () => {
    const pdf = makePdf([{ text: 'First (page) \\\nsecond line   ' }, { text: 'Second page' }]);
    const size = { width: 595, height: 842, rotation: 0 };
    expect(await documents.text(pdf, [2, 1])).toEqual([
      { number: 2, text: 'Second page', kind: 'text', reason: null, size },
      { number: 1, text: 'First (page) \\\nsecond line', kind: 'text', reason: null, size },
    ]);
  });

  it('reads long documents by all threads and joins the parts in order', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const pages = await documents.text(makePdf(numbers.map((number) => ({ text: `page ${number}` }))), numbers);
    expect(pages.map(({ text }) => text)).toEqual(numbers.map((number) => `page ${number}`));
  });

  it('has what was filled into a form', async () => {
    const pdf = makePdf([{ text: 'Name:', field: 'Ada (Lovelace)' }]);
    expect(await documents.text(pdf, [1])).toMatchObject([{ text: 'Name:\nAda (Lovelace)', kind: 'text' }]);
  });

  it('tells text, scans and blank pages apart, page by page', async () => {
    const picture = { jpeg: await flat(90).jpeg().toBuffer(), width: 60, height: 40 };
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line} of a letter on printed paper`).join('\n');
    const pages = await documents.text(
      makePdf([
        { text: 'A page of text' },
        { picture },
        { picture, text: 'recognised words', invisible: true },
        { picture, text: 'Page 7, scanned on Monday' },
        { picture, text: lines },
        { text: 'nothing to be read', font: 'unmapped' },
        { picture: { ...picture, box: [72, 400, 200, 150] }, text: 'A text with a small picture' },
        {},
        { content: '0 0 595 842 re f' },
      ]),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    const kinds = pages.map(({ kind }) => kind);
    expect(kinds).toEqual(['text', 'scanned', 'scanned', 'scanned', 'text', 'scanned', 'text', 'blank', 'blank']);
    expect(pages.filter(({ kind }) => kind === 'scanned').every(({ reason }) => reason !== null)).toBe(true);
  });

  it('takes text below a full-page picture as hidden', async () => {
    const picture = { jpeg: await flat(90).jpeg().toBuffer(), width: 60, height: 40 };
    const words = Array.from({ length: 40 }, (_, line) => `1 0 0 1 72 ${800 - line * 14} Tm (words below) Tj`).join(
      '\n',
    );
    const below = `q BT /Helvetica 12 Tf ${words} ET Q q 595 0 0 842 0 0 cm /Picture Do Q`;
    const [page] = await documents.text(makePdf([{ picture, content: below }]), [1]);
    expect(page).toMatchObject({ kind: 'scanned', reason: expect.stringContaining('recognised') });
  });

  it('takes a page that cannot be opened as scanned and reads the others', async () => {
    const broken = edited(makePdf([{ text: 'one' }, { text: 'two' }]), /\/Type \/Page \//, '/Type /None /');
    const pages = await documents.text(broken, [1, 2, 3]);
    expect(pages.at(-1)).toMatchObject({ number: 3, kind: 'scanned', text: '' });
    expect(pages[1]).toMatchObject({ text: 'two' });
  });
});

describe('pictures of PDF pages', () => {
  it('draws pages in colour at the asked resolution', async () => {
    const pdf = makePdf([{ size: [144, 72], content: '1 0 0 rg 0 0 72 72 re f' }]);
    const picture = await documents.picture(pdf, 'pdf', 1, { dpi: 100 });
    expect(picture).toMatchObject({ mimeType: 'image/png', width: 200, height: 100, dpi: 100, warnings: [] });
    expect(await rgb(picture.bytes, 20, 50)).toEqual([255, 0, 0]);
    expect(await rgb(picture.bytes, 180, 50)).toEqual([255, 255, 255]);
  });

  it('draws at 300 dots an inch when nothing was asked', async () => {
    const pdf = makePdf([{ size: [72, 72], text: 'x', textAt: [10, 10] }]);
    expect(await documents.picture(pdf, 'pdf', 1, { dpi: null })).toMatchObject({ width: 300, height: 300, dpi: 300 });
  });

  it('turns pages as they say', async () => {
    const pdf = makePdf([{ size: [144, 72], rotate: 90, content: '0 0 72 72 re f' }]);
    const { bytes, width, height } = await documents.picture(pdf, 'pdf', 1, { dpi: 72 });
    expect([width, height]).toEqual([72, 144]);
    expect(await rgb(bytes, 36, 30)).toEqual([0, 0, 0]);
    expect(await rgb(bytes, 36, 120)).toEqual([255, 255, 255]);
  });

  it('draws what was filled into a form', async () => {
    const [empty, filled] = await Promise.all(
      [{}, { field: 'MMMMMMMM' }].map(async (page) => {
        const { bytes } = await documents.picture(makePdf([page]), 'pdf', 1, { dpi: 72, decoded: true });
        return (await sharp(bytes).stats()).channels[0]?.mean;
      }),
    );
    expect(empty).toBe(255);
    expect(filled).toBeLessThan(255);
  });

  it('lowers the resolution of pages that would become too large, with a warning', async () => {
    const picture = await documents.picture(makePdf([{ text: 'A4' }]), 'pdf', 1, { dpi: 300 });
    expect(picture.width * picture.height).toBeLessThanOrEqual(2e6);
    expect(picture.warnings).toEqual([expect.stringContaining(`Rendered at ${picture.dpi} instead of 300 dpi`)]);
  });

  it('takes out a scan as it is', async () => {
    const jpeg = await flat(200, { width: 250, height: 250 }).jpeg().toBuffer();
    const pdf = makePdf([{ size: [72, 72], picture: { jpeg, width: 250, height: 250 } }]);
    const taken = await documents.picture(pdf, 'pdf', 1, { dpi: null });
    expect(taken).toMatchObject({ mimeType: 'image/jpeg', width: 250, height: 250, dpi: 250 });
    expect(taken.bytes.equals(jpeg)).toBe(true);
    const decoded = await documents.picture(pdf, 'pdf', 1, { dpi: null, decoded: true });
    expect(decoded).toMatchObject({ mimeType: 'image/png', width: 250, height: 250, dpi: 250 });
  });

  it('takes out a scan of black and white with one bit a pixel', async () => {
    const bits = Buffer.from(Array.from({ length: 32 * 250 }, (_, index) => (index % 32 < 16 ? 0x00 : 0xff)));
    const pdf = makePdf([{ size: [72, 72], picture: { bits, width: 250, height: 250 } }]);
    for (const decoded of [false, true]) {
      const taken = await documents.picture(pdf, 'pdf', 1, { dpi: null, decoded });
      expect(taken).toMatchObject({ mimeType: 'image/png', width: 250, height: 250, dpi: 250 });
      expect(await sharp(taken.bytes).metadata()).toMatchObject({ bitsPerSample: 1, channels: 1 });
      expect([await rgb(taken.bytes, 100, 200), await rgb(taken.bytes, 140, 200)]).toEqual([
        [0, 0, 0],
        [255, 255, 255],
      ]);
    }
  });

  it.each([
    ['something is drawn over it', { content: '0 0 10 10 re f' }, {}],
    ['the page is turned', { rotate: 90 as const }, {}],
    ['it does not fill the page', {}, { box: [10, 10, 50, 50] as const }],
    ['it is not upright', { content: 'q -72 0 0 -72 72 72 cm /Picture Do Q' }, { box: [0, 0, 0, 0] as const }],
    ['its resolution is low', { size: [720, 720] as const }, {}],
  ])('draws a scan when %s', async (_, page, placed) => {
    const jpeg = await flat(200, { width: 250, height: 250 }).jpeg().toBuffer();
    const pdf = makePdf([{ size: [72, 72], picture: { jpeg, width: 250, height: 250, ...placed }, ...page }]);
    const picture = await documents.picture(pdf, 'pdf', 1, { dpi: null });
    expect(picture.bytes.equals(jpeg)).toBe(false);
    expect([300, 141]).toContain(picture.dpi);
  });

  it('refuses a page that is not there', async () => {
    await expect(documents.picture(makePdf([{}]), 'pdf', 2, { dpi: null })).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringContaining('Page 2'),
    });
  });

  it('refuses a picture inside a page that would fill the memory', async () => {
    const jpeg = await flat(0).jpeg().toBuffer();
    const pdf = makePdf([{ picture: { jpeg, width: 60_000, height: 60_000 } }]);
    const lying = edited(pdf, '/Filter /DCTDecode', '/Filter /RunLength');
    await expect(
      documents.picture(edited(lying, '/RunLength', '/RunLengthDecode'), 'pdf', 1, { dpi: 72 }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('too many pixels'),
    });
  });
});

describe('isBlank', () => {
  it('tells an empty page from one with a word', async () => {
    const pdf = makePdf([{}, { text: 'word' }]);
    const [empty, written] = await Promise.all([1, 2].map((page) => documents.picture(pdf, 'pdf', page, { dpi: 100 })));
    expect(empty && (await documents.isBlank(empty))).toBe(true);
    expect(written && (await documents.isBlank(written))).toBe(false);
  });
});

function flat(grey: number, { width, height } = { width: 60, height: 40 }) {
  return sharp({ create: { width, height, channels: 3, background: { r: grey, g: grey, b: grey } } });
}

async function half(bytes: Promise<Buffer>): Promise<Buffer> {
  const whole = await bytes;
  return whole.subarray(0, Math.floor(whole.length * 0.7));
}

function edited(pdf: Buffer, from: RegExp | string, to: string): Buffer {
  return Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1');
}

async function rgb(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}
