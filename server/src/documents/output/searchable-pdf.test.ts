import { PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../../../test/house/pdf.ts';
import { Documents } from '../documents.ts';
import type { OutputPage } from './output-page.ts';
import type { OutputTask } from './output-task.ts';
import { OutputThreads } from './output-threads.ts';
import { type SearchablePdfOptions, SearchablePdfs } from './searchable-pdf.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 10e6,
  maxSentPixels: 10e6,
  maxPages: 50,
  pdfTimeoutMs: 60_000,
  memoryMb: 256,
});
const threads = new OutputThreads({ threads: 1, timeoutMs: 60_000, memoryMb: 256 });
const outputs = new SearchablePdfs(documents, threads);
afterAll(async () => {
  await threads[Symbol.asyncDispose]();
  await documents[Symbol.asyncDispose]();
});

const { signal } = new AbortController();
const OPTIONS: SearchablePdfOptions = { textLayer: 'missing', dpi: 100, signal };
const TEXT = 'the quick brown fox';

function read(page: number, text = TEXT): OutputPage {
  return { page, lines: [{ text, polygon: [0.1, 0.1, 0.9, 0.1, 0.9, 0.13, 0.1, 0.13] }] };
}

async function textsOf(bytes: Uint8Array, ...pages: number[]): Promise<string[]> {
  return (await documents.text(Buffer.from(bytes), pages)).map(({ text }) => text);
}

/** What each picture in a PDF says of itself. */
async function valuesOf(bytes: Uint8Array, name: string): Promise<string[]> {
  const { context } = await PDFDocument.load(bytes);
  const streams = context.enumerateIndirectObjects().map(([, object]) => object);
  const pictures = streams.filter(
    (each) => each instanceof PDFRawStream && each.dict.has(PDFName.of('BitsPerComponent')),
  );
  return pictures.map((each) => String((each as PDFRawStream).dict.get(PDFName.of(name))));
}

const DRAWN = { content: '0 g 100 300 200 200 re f' };

async function picture(format: 'jpeg' | 'png' | 'webp', width = 300, height = 200): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#ffffff' } as const;
  const ink = { input: { create: { ...create, width: 50, height: 50, background: '#c02030' } }, left: 40, top: 60 };
  return sharp({ create }).composite([ink]).toFormat(format).withMetadata({ density: 100 }).toBuffer();
}

/** With a table of objects that points beside them. */
function wrongTable(pdf: Buffer): Buffer {
  const moved = (offset: string) => String(Number(offset) + 7).padStart(10, '0');
  return Buffer.from(pdf.toString('latin1').replace(/\d{10}(?= 00000 n)/g, moved), 'latin1');
}

describe('a PDF', () => {
  it('is extended', async () => {
    const pdf = makePdf([DRAWN, DRAWN]);
    const { bytes, way, pages } = await outputs.make(pdf, [read(2)], OPTIONS);
    expect({ way, pages }).toEqual({ way: 'extended', pages: 1 });
    expect(Buffer.from(bytes.subarray(0, pdf.length))).toEqual(pdf);
    expect(await textsOf(bytes, 1, 2)).toEqual(['', TEXT]);
  });

  it('is made anew where its table of objects is wrong: readers who mend that could not open an update of it', async () => {
    const { bytes, way } = await outputs.make(wrongTable(makePdf([DRAWN])), [read(1)], OPTIONS);
    expect([way, await textsOf(bytes, 1)]).toEqual(['rebuilt', [TEXT]]);
  });

  it('keeps the text that its pages have, and on request gets ours beside it', async () => {
    const scan = {
      picture: { bits: Buffer.alloc(2, 0xaa), width: 8, height: 2 },
      text: 'old words here',
      invisible: true,
    };
    const pdf = makePdf([{ text: 'of its own' }, scan, DRAWN]);
    const readings = [read(1), read(2), read(3)];
    const missing = await outputs.make(pdf, readings, OPTIONS);
    expect(missing.pages).toBe(1);
    expect(await textsOf(missing.bytes, 1, 2, 3)).toEqual(['of its own', 'old words here', TEXT]);
    const all = await outputs.make(pdf, readings, { ...OPTIONS, textLayer: 'all' });
    expect(all.pages).toBe(3);
    for (const text of await textsOf(all.bytes, 1, 2, 3)) expect(text).toContain(TEXT);
  });

  it('stays as it is where nothing was read', async () => {
    const pdf = makePdf([DRAWN]);
    expect(await outputs.make(pdf, [], OPTIONS)).toEqual({ bytes: pdf, way: 'extended', pages: 0 });
  });

  it('that only its owner may change is made anew from its pages', async () => {
    const pdf = makePdf([DRAWN, DRAWN], { passwords: { user: '', owner: 'secret' } });
    const { bytes, way, pages } = await outputs.make(pdf, [read(1)], OPTIONS);
    expect({ way, pages }).toEqual({ way: 'rebuilt', pages: 1 });
    expect(await textsOf(bytes, 1, 2)).toEqual([TEXT, '']);
    const [before, after] = await Promise.all(
      [pdf, Buffer.from(bytes)].map((each) => documents.picture(each, 'pdf', 2, { dpi: 100 })),
    );
    expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
    expect(await sharp(after?.bytes).raw().toBuffer()).toEqual(await sharp(before?.bytes).raw().toBuffer());
  });

  const LOCKED = { passwords: { user: '', owner: 'secret' } };
  const MIXED = [{ text: 'of its own' }, DRAWN, { text: 'not read' }];

  it.each([
    ['that only its owner may change', makePdf(MIXED, LOCKED)],
    ['whose table of objects is wrong', wrongTable(makePdf(MIXED))],
  ])('%s has the layer of every page that was read where it is made anew', async (_, pdf) => {
    const { bytes, way, pages } = await outputs.make(pdf, [read(1), read(2)], OPTIONS);
    expect({ way, pages }).toEqual({ way: 'rebuilt', pages: 2 });
    expect(await textsOf(bytes, 1, 2, 3)).toEqual([TEXT, TEXT, '']);
  });

  it('that needs a password is refused', async () => {
    const pdf = makePdf([DRAWN], { passwords: { user: 'needed', owner: 'secret' } });
    await expect(outputs.make(pdf, [read(1)], OPTIONS)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  });
});

describe('an extended PDF that is not sound', () => {
  type Extension = Extract<OutputTask, { kind: 'extend' }>;

  /** Writes an update that something is wrong with, and is sound otherwise. */
  class SpoilingThreads extends OutputThreads {
    readonly #spoil: (task: Extension) => Extension;

    constructor(spoil: (task: Extension) => Extension) {
      super({ threads: 1, timeoutMs: 60_000, memoryMb: 256 });
      this.#spoil = spoil;
    }

    override async run(task: OutputTask, stop: AbortSignal): ReturnType<OutputThreads['run']> {
      return super.run(task.kind === 'extend' ? this.#spoil(task) : task, stop);
    }
  }

  const shared = (bytes: Buffer): Uint8Array<SharedArrayBuffer> => {
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return copy;
  };
  const withText = (task: Extension, text: string): Extension => ({
    ...task,
    pages: task.pages.map(({ page }) => read(page, text)),
  });
  const other = shared(makePdf([DRAWN, { content: '0 g 300 300 20 20 re f' }]));

  it.each<[string, string, (task: Extension) => Extension]>([
    ['is as it was', 'extended', (task) => task],
    ['has another layer', 'rebuilt', (task) => withText(task, 'colourless green ideas')],
    ['has half of its layer', 'rebuilt', (task) => withText(task, 'the quick')],
    ['looks otherwise', 'rebuilt', (task) => ({ ...task, bytes: other })],
  ])('which %s: it is %s', async (_, expected, spoil) => {
    await using spoiling = new SpoilingThreads(spoil);
    const pdf = makePdf([DRAWN, DRAWN]);
    const { bytes, way, pages } = await new SearchablePdfs(documents, spoiling).make(pdf, [read(1), read(2)], OPTIONS);
    expect({ way, pages }).toEqual({ way: expected, pages: 2 });
    expect(await textsOf(bytes, 1, 2)).toEqual([TEXT, TEXT]);
    const [was, is] = await Promise.all(
      [pdf, Buffer.from(bytes)].map((each) => documents.picture(each, 'pdf', 2, { dpi: 100, decoded: true })),
    );
    expect(is?.bytes.equals(was?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it('is made anew with the layer of pages that have text of their own, too', async () => {
    await using spoiling = new SpoilingThreads((task) => withText(task, 'colourless green ideas'));
    const pdf = makePdf([{ text: 'of its own' }, DRAWN]);
    const { bytes, way, pages } = await new SearchablePdfs(documents, spoiling).make(pdf, [read(1), read(2)], OPTIONS);
    expect({ way, pages }).toEqual({ way: 'rebuilt', pages: 2 });
    expect(await textsOf(bytes, 1, 2)).toEqual([TEXT, TEXT]);
  });
});

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('in %s becomes a page of its size that looks like it', async (format) => {
    const { bytes, way, pages } = await outputs.make(await picture(format), [read(1)], OPTIONS);
    expect({ way, pages }).toEqual({ way: 'rebuilt', pages: 1 });
    expect(await textsOf(bytes, 1)).toEqual([TEXT]);
    // A WEBP does not say what resolution it has.
    const dpi = format === 'webp' ? 300 : 100;
    const drawn = await documents.picture(Buffer.from(bytes), 'pdf', 1, { dpi });
    expect([drawn.width, drawn.height]).toEqual([300, 200]);
    const { data, info } = await sharp(drawn.bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * 300 + x) * info.channels).subarray(0, 3)];
    for (const [found, drew] of [
      [at(65, 85), [0xc0, 0x20, 0x30]],
      [at(200, 100), [255, 255, 255]],
    ] as const) {
      for (const [channel, value] of drew.entries()) expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThan(8);
    }
  });

  it('keeps the bytes of a JPEG', async () => {
    const jpeg = await picture('jpeg');
    const { bytes } = await outputs.make(jpeg, [read(1)], OPTIONS);
    expect(Buffer.from(bytes).includes(jpeg)).toBe(true);
  });

  it('of many frames becomes a page each', async () => {
    const frames = await Promise.all([300, 200].map((height) => picture('png', 300, height)));
    const tiff = await sharp(frames, { join: { animated: true } })
      .tiff()
      .toBuffer();
    const { bytes, pages } = await outputs.make(tiff, [read(1), read(2)], OPTIONS);
    expect(pages).toBe(2);
    expect(await textsOf(bytes, 1, 2)).toEqual([TEXT, TEXT]);
  });

  it('of one bit stays so', async () => {
    const tiff = await sharp(await picture('png'))
      .toColourspace('b-w')
      .threshold(200)
      .tiff({ bitdepth: 1 })
      .toBuffer();
    const { bytes } = await outputs.make(tiff, [read(1)], OPTIONS);
    expect(await valuesOf(bytes, 'BitsPerComponent')).toEqual(['1']);
    const { bytes: coloured } = await outputs.make(await picture('png'), [read(1)], OPTIONS);
    expect(await valuesOf(coloured, 'BitsPerComponent')).toEqual(['8']);
  });

  it('of one bit is smaller as a fax, and looks as it did, unless its dots are no runs', async () => {
    const [width, height] = [500, 400];
    const ink = (isBlack: (x: number, y: number) => boolean) =>
      Buffer.from(
        Array.from({ length: width * height }, (_, at) => (isBlack(at % width, Math.floor(at / width)) ? 0 : 255)),
      );
    const scan = ink((x, y) => Math.sin(x / 7 + 3 * Math.sin(y / 9)) + Math.sin(y / 14 + x / 77) > 0.6);
    const dots = ink((x, y) => (x + y) % 2 === 0);
    for (const [pixels, filter] of [
      [scan, '/CCITTFaxDecode'],
      [dots, '/FlateDecode'],
    ] as const) {
      const raw = { raw: { width, height, channels: 1 } } as const;
      const tiff = await sharp(pixels, raw)
        .toColourspace('b-w')
        .tiff({ bitdepth: 1, compression: 'none', xres: 72 / 25.4, yres: 72 / 25.4 })
        .toBuffer();
      const { bytes } = await outputs.make(tiff, [read(1, '')], OPTIONS);
      expect(await valuesOf(bytes, 'Filter')).toEqual([filter]);
      const drawn = await documents.picture(Buffer.from(bytes), 'pdf', 1, { dpi: 72, signal });
      const seen = await sharp(drawn.bytes).extractChannel(0).raw().toBuffer();
      expect(seen.length).toBe(pixels.length);
      expect(seen.every((value, at) => Math.abs(value - (pixels[at] ?? 0)) < 8)).toBe(true);
    }
  });

  it('is the same bytes for the same reading', async () => {
    const png = await picture('png');
    const [one, other] = [await outputs.make(png, [read(1)], OPTIONS), await outputs.make(png, [read(1)], OPTIONS)];
    expect(Buffer.from(one.bytes)).toEqual(Buffer.from(other.bytes));
  });
});

it('stops when the caller leaves', async () => {
  const gone = new AbortController();
  const making = outputs.make(makePdf([DRAWN]), [read(1)], { ...OPTIONS, signal: gone.signal });
  gone.abort(new Error('left'));
  await expect(making).rejects.toThrow('left');
});
