import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { Documents } from '../../../documents/documents.ts';
import type { PagePicture } from '../../../documents/formats/document.ts';
import { greyPicture } from '../../../documents/preprocessing/grey-picture.ts';
import { SKEW_SIDE, skewOf } from '../../../documents/preprocessing/skew.ts';
import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { type PageLayout, quadOf } from '../../model/page-layout.ts';
import { unread } from '../../model/reading.ts';
import { DeskewingAdapter } from './deskewing-adapter.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 50e6,
  maxSentPixels: 25e6,
  maxPages: 5,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

const SETTINGS = { language: 'en', languageNative: 'en', dpi: null, detectTables: false, native: {} };
const MARK = { left: 100, top: 60, width: 24, height: 24 };
const RED = { r: 255, g: 0, b: 0 };
const never = new AbortController().signal;

/** A page of two columns with a red square in a corner, laid askew. */
async function askew(degrees: number, format: 'png' | 'jpeg'): Promise<Buffer> {
  const page = await readFile(new URL('../../../../../test/fixtures/two-columns.png', import.meta.url));
  const mark = { input: { create: { ...MARK, channels: 3, background: RED } }, ...MARK } as const;
  const marked = await sharp(page).toColourspace('srgb').composite([mark]).png().toBuffer();
  return sharp(marked).flatten({ background: 'white' }).rotate(degrees, { background: 'white' })[format]().toBuffer();
}

/** The middle of what is red. */
async function markOn(bytes: Buffer): Promise<[x: number, y: number]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const found: [x: number, y: number][] = [];
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    const pixel = at / info.channels;
    if (red > 200 && green < 90 && blue < 90) found.push([pixel % info.width, Math.floor(pixel / info.width)]);
  }
  const mean = (axis: 0 | 1) => found.reduce((sum, point) => sum + point[axis], 0) / found.length;
  return [mean(0), mean(1)];
}

const asItCame = (bytes: Buffer, format: 'png' | 'jpeg') =>
  documents.picture(bytes, format, 1, { dpi: null, party: 'a' });

/** As this service draws pages of PDFs. */
async function drawnHere(bytes: Buffer): Promise<PagePicture> {
  const { decoder: _, ...picture } = await asItCame(bytes, 'png');
  return picture;
}

/** Reads a picture with an engine that tells where the red square is. */
async function read(input: EngineInput, settings: EngineSettings = SETTINGS) {
  const seen: EngineInput[] = [];
  const reader = new DeskewingAdapter({
    read: async (given) => {
      seen.push(given);
      if (given.kind === 'document') return unread({ ending: { kind: 'empty' }, billed: 'no' });
      const { bytes, width, height } = given.picture;
      const [x, y] = await markOn(bytes).catch(() => [0, 0]); // of one that is broken
      const box = quadOf({ left: x - 12, top: y - 12, width: 24, height: 24 });
      const word = { text: 'here', box, confidence: 1 };
      const layout: PageLayout = {
        width,
        height,
        granularity: 'word',
        lines: [{ ...word, block: null, words: [word] }],
      };
      const page = { number: given.page, text: 'here', confidence: 1, source: 'engine', layout } as const;
      return unread({ ending: { kind: 'ok' }, pages: [page], billed: 'no' });
    },
  });
  const reading = await reader.read(input, settings, never);
  return { page: reading.pages[0], given: seen[0] };
}

function pictureOf(given: EngineInput | undefined): PagePicture {
  if (given?.kind !== 'picture') throw new Error('no picture was given to the engine');
  return given.picture;
}

it.each([
  ['a PNG that came so', 'png', asItCame],
  ['a JPEG that came so', 'jpeg', asItCame],
  ['a page that was drawn here', 'png', drawnHere],
] as const)(
  'makes the lines of %s straight, in colour, and tells places on it as it was',
  async (_name, format, get) => {
    const bytes = await askew(5, format);
    const picture = await get(bytes, format);
    const { page, given } = await read({ kind: 'picture', page: 1, picture, party: 'a' });
    const straight = pictureOf(given);
    expect(skewOf(await greyPicture(straight.bytes, SKEW_SIDE))).toBe(0);
    expect(await sharp(straight.bytes).metadata()).toMatchObject({
      format,
      width: straight.width,
      height: straight.height,
    });
    expect(straight.mimeType).toBe(`image/${format}`);
    expect(straight).not.toHaveProperty('decoder');
    expect(page?.steps).toEqual(['deskewed']);
    const { width, height, lines } = page?.layout ?? { lines: [] };
    expect([width, height]).toEqual([picture.width, picture.height]);
    const [x, y] = await markOn(bytes);
    for (const box of [lines[0]?.box, lines[0]?.words[0]?.box]) {
      const [x1 = 0, y1 = 0, , , x3 = 0, y3 = 0] = box ?? [];
      expect(Math.hypot((x1 + x3) / 2 - x, (y1 + y3) / 2 - y)).toBeLessThan(2);
      expect((Math.atan2(y3 - y1, x3 - x1) * 180) / Math.PI).toBeCloseTo(45 + 5, -0.5);
    }
  },
);

it('leaves a page as it is that lies askew by less, and one that is not to be prepared', async () => {
  const slightly = await asItCame(await askew(3, 'png'), 'png');
  const badly = await asItCame(await askew(5, 'png'), 'png');
  for (const [picture, settings] of [
    [slightly, SETTINGS],
    [badly, { ...SETTINGS, preprocess: false }],
  ] as const) {
    const { page, given } = await read({ kind: 'picture', page: 1, picture }, settings);
    expect(pictureOf(given)).toBe(picture);
    expect(page).not.toHaveProperty('steps');
  }
});

it('leaves to the engine what cannot be decoded, and whole documents', async () => {
  const bytes = await askew(5, 'jpeg');
  const broken = await asItCame(bytes.fill(0, bytes.length >> 2, bytes.length >> 1), 'jpeg');
  expect(pictureOf((await read({ kind: 'picture', page: 1, picture: broken })).given)).toBe(broken);
  const pdf: EngineInput = { kind: 'document', bytes, format: 'pdf', pages: [1] };
  expect((await read(pdf)).given).toBe(pdf);
});

it('ends with its request', async () => {
  const picture = await asItCame(await askew(5, 'png'), 'png');
  const reader = new DeskewingAdapter({ read: () => Promise.reject(new Error('was asked')) });
  const over = AbortSignal.abort(new Error('is over'));
  await expect(reader.read({ kind: 'picture', page: 1, picture }, SETTINGS, over)).rejects.toThrow('is over');
});
