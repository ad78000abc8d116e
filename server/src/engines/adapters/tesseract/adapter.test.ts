import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Documents } from '../../../documents/documents.ts';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineSettings } from '../../model/engine.ts';
import { makeTesseract } from './adapter.ts';
import { findTesseract } from './program/find-tesseract.ts';

const TEXTS = {
  'quick-brown-fox.png':
    'The quick brown fox jumps over the lazy dog, while five wizards box quietly. Invoice number 48213 Total due: 1,250.00 USD',
  'two-columns.png':
    'The harbour was quiet that morning. Three boats lay at the pier, and nobody had come to load them. A clerk counted the crates twice and wrote the number on the lid. Later the wind turned and brought the fog back from the sea. The lamps were lit an hour early, and the ferry waited for its last passengers until the bell rang.',
  'one-word.png': 'Delivered',
  'japanese.png': 'この駅から港まで歩いて十分です。 切符は窓口で買ってください。 雨の日は船が遅れます。 東京都千代田区',
  'chinese.png': '从这个车站走到港口要十分钟。 请在窗口购买车票。 下雨天船会晚到。 北京市朝阳区',
  'korean.png':
    '이 역에서 항구까지 걸어서 십 분입니다. 표는 창구에서 사십시오. 비 오는 날에는 배가 늦습니다. 서울특별시 종로구',
  'arabic.png': 'المسافة من المحطة إلى الميناء قصيرة اشتر التذكرة من الشباك تتأخر السفينة في يوم المطر مدينة القاهرة',
};
/** Those of the specification, beside English. */
const LANGUAGES = [
  ['jpn', 'japanese.png'],
  ['chi_sim', 'chinese.png'],
  ['kor', 'korean.png'],
  ['ara', 'arabic.png'],
] as const;
type Fixture = keyof typeof TEXTS | 'greek.png';

const programEnv = { PATH: process.env['PATH'] ?? '' };
/** Letters of some five pixels. */
const SMALL_WIDTH = 320;
const CORPUS = new URL('../../../../../accuracy/corpus/', import.meta.url);
const installed = await findTesseract({ env: programEnv });
const fixture = (name: Fixture) => readFile(new URL(`../../../../../test/fixtures/${name}`, import.meta.url));
const blank = () =>
  sharp({ create: { width: 600, height: 800, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

const documents = new Documents({
  threads: 1,
  maxPixels: 1e8,
  maxSentPixels: 4e7,
  maxPages: 10,
  pdfTimeoutMs: 60_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

function errorRate(text: string, truth: string): number {
  const line = (words: string) => words.replace(/\s+/g, ' ').trim();
  return distance(line(text), line(truth)) / line(truth).length;
}

/** Opens the adapter for a suite, and reads pictures with it. */
function openFor({ cli }: { cli: boolean }) {
  let dataDir: string;
  let adapter: Adapter;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tesseract-'));
    // The adapter uses none of the rest.
    const tools = {
      dataDir,
      cores: 2,
      programEnv,
      documents,
      log: pino({ level: 'silent' }),
    } as unknown as AdapterTools;
    adapter = await makeTesseract({ cli }).open({} as Engine, tools);
  });
  afterAll(async () => {
    await adapter[Symbol.asyncDispose]?.();
    await rm(dataDir, { recursive: true });
  });
  beforeEach((context) => {
    if (cli && !installed) context.skip('the tesseract program is not on the PATH');
  });

  async function read(bytes: Buffer, asked: Partial<EngineSettings> = {}, signal = new AbortController().signal) {
    const { width, height } = await sharp(bytes)
      .metadata()
      .catch(() => ({ width: 1, height: 1 }));
    const picture = { bytes, mimeType: 'image/png' as const, width, height, dpi: null, warnings: [] };
    const settings = { language: 'en', languageNative: 'eng', dpi: null, detectTables: false, native: {}, ...asked };
    const reading = await adapter.read({ kind: 'picture', page: 3, picture }, settings, signal);
    return { ...reading, text: reading.pages[0]?.text ?? '' };
  }

  return { read, dataDir: () => dataDir, adapter: () => adapter };
}

async function looksAgain(read: ReturnType<typeof openFor>['read'], name: string): Promise<void> {
  const bytes = await sharp(await readFile(new URL(`hard/${name}`, CORPUS)))
    .png()
    .toBuffer();
  const truth = await readFile(new URL(`hard/${name.split('.')[0]}.txt`, CORPUS), 'utf8');
  const prepared = await read(bytes);
  expect(errorRate(prepared.text, truth)).toBeLessThan(0.1);
  expect(prepared.pages[0]?.steps).toEqual(['second_look']);
  expect(errorRate((await read(bytes, { preprocess: false })).text, truth)).toBeGreaterThan(0.3);
}

describe.each([
  { program: 'the installed program', cli: true, version: /^tesseract \d/ },
  { program: 'tesseract.js', cli: false, version: /^tesseract\.js \d/ },
])('tesseract with $program', ({ cli, version }) => {
  const { read, dataDir } = openFor({ cli });

  it('answers the text of the page with its confidence, and that no provider bills it', async () => {
    const { text, ...reading } = await read(await fixture('quick-brown-fox.png'));
    expect(errorRate(text, TEXTS['quick-brown-fox.png'])).toBeLessThan(0.02);
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, billed: 'no', usage: null, warnings: [] });
    expect(reading.pages).toEqual([{ number: 3, text, confidence: expect.any(Number), source: 'engine' }]);
    expect(reading.pages[0]?.confidence).toBeGreaterThan(0.85);
    expect(reading.pages[0]?.confidence).toBeLessThanOrEqual(1);
    expect(reading.modelVersion).toMatch(version);
  });

  // Each language that is packed is read once with what is packed of it: by tesseract.js where the program has its own.
  const packed = LANGUAGES.filter(
    ([code]) => cli || !installed || code === 'kor' || installed.languages.includes(code),
  );
  it.each(packed)('reads %s out of the box', async (languageNative, name) => {
    const { text, warnings } = await read(await fixture(name), { languageNative });
    expect(errorRate(text, TEXTS[name])).toBeLessThan(0.05);
    expect(warnings).toEqual([]);
  });

  it('reads upright pages as they lie', async () => {
    for (const name of ['two-columns.png', 'one-word.png'] as const) {
      const { text, warnings } = await read(await fixture(name));
      expect(errorRate(text, TEXTS[name])).toBeLessThan(0.02);
      expect(warnings).toEqual([]);
    }
  });

  // What each program says of a page on its side and of a bad one is what decides.
  it('reads a word that lies on its side as if it were upright, and says so', async () => {
    const bytes = await sharp(await fixture('one-word.png'))
      .rotate(90)
      .png()
      .toBuffer();
    const { text, warnings } = await read(bytes);
    expect(errorRate(text, TEXTS['one-word.png'])).toBeLessThan(0.02);
    expect(warnings).toEqual(['The page was turned by 270 degrees before reading.']);
  });

  it('looks again at hard/salt-and-pepper.png, and names that', () => looksAgain(read, 'salt-and-pepper.png'));

  it('answers empty for a blank page', async () => {
    const reading = await read(await blank());
    expect(reading.ending).toEqual({ kind: 'empty' });
    expect(reading.pages).toEqual([{ number: 3, text: '', confidence: null, source: 'engine' }]);
  });

  it('answers unreadable for a picture that cannot be opened', async () => {
    const bytes = (await fixture('one-word.png')).subarray(0, 500);
    expect((await read(bytes)).ending).toMatchObject({ kind: 'unreadable', message: expect.not.stringContaining('/') });
  });

  it('knows a script that it has no data for, and refuses the page', async (context) => {
    if (installed?.languages.includes('ell')) return context.skip('Greek data is installed');
    const { ending, pages } = await read(await fixture('greek.png'), { lookMs: 1 });
    expect(ending).toMatchObject({ kind: 'refused', message: expect.stringContaining('Greek') });
    expect(pages).toEqual([]);
  });

  it('lets native settings win over unified ones', async () => {
    const native = { lang: 'kor', tessedit_char_blacklist: '.' };
    const { text, warnings, forwarded } = await read(await fixture('korean.png'), { languageNative: 'eng', native });
    expect(errorRate(text, TEXTS['korean.png'].replaceAll('.', ''))).toBeLessThan(0.08);
    expect(text).not.toContain('.');
    expect(warnings).toEqual([]);
    expect(forwarded).toEqual({ language: 'ko', languageNative: 'kor', native });
  });

  it('tells the mode that it reads in, and of no variable that it does not know', async () => {
    const native = { psm: 12, textord_no_such_thing: 1 };
    const { warnings, forwarded } = await read(await fixture('one-word.png'), { native });
    const isKnown = warnings.every((warning) => !warning.includes('textord_no_such_thing'));
    expect(forwarded?.native).toEqual({ psm: cli ? 12 : 11, ...(isKnown && { textord_no_such_thing: 1 }) });
  });

  it('ignores native settings that touch files, and says so', async () => {
    const native = { debug_file: join(dataDir(), 'written'), user_words_file: '/etc/hostname' };
    const { text, warnings } = await read(await fixture('one-word.png'), { native });
    expect(text).toBe('Delivered');
    expect(warnings).toHaveLength(2);
    await expect(readFile(join(dataDir(), 'written'))).rejects.toThrow('ENOENT');
  });

  it('rejects with the reason of a signal that aborts', async () => {
    const abort = new AbortController();
    const reading = read(await fixture('two-columns.png'), {}, abort.signal);
    abort.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
  });

  it('ends what it reads when it is closed', async () => {
    const tools = {
      dataDir: dataDir(),
      cores: 1,
      programEnv,
      log: pino({ level: 'silent' }),
    } as unknown as AdapterTools; // as above
    const closing = await makeTesseract({ cli }).open({} as Engine, tools);
    const bytes = await fixture('two-columns.png');
    const picture = { bytes, mimeType: 'image/png' as const, width: 1100, height: 800, dpi: null, warnings: [] };
    const settings = { language: 'en', languageNative: 'eng', dpi: null, detectTables: false, native: {} };
    const never = new AbortController().signal;
    const readings = [1, 2].map((page) => closing.read({ kind: 'picture', page, picture }, settings, never));
    const [, ...outcomes] = await Promise.allSettled([closing[Symbol.asyncDispose]?.(), ...readings]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

// What is decided about a page before and after its readings is the same for both: the faster one shows most of it.
describe('tesseract, whichever reads', () => {
  const { read, adapter } = openFor({ cli: installed !== null });

  // Each picture and each turn once: a page of columns, one of hardly a letter, and one of letters without a shape.
  const turned = [
    { name: 'two-columns.png', turn: 90 },
    { name: 'one-word.png', turn: 270 },
    { name: 'korean.png', turn: 180 },
  ] as const;
  it.each(turned)('reads $name turned by $turn degrees as if it were upright, and says so', async ({ name, turn }) => {
    const bytes = await sharp(await fixture(name))
      .rotate(turn)
      .png()
      .toBuffer();
    const { text, warnings } = await read(bytes, { languageNative: name === 'korean.png' ? 'kor' : 'eng' });
    expect(errorRate(text, TEXTS[name])).toBeLessThan(0.02);
    expect(warnings).toEqual([`The page was turned by ${360 - turn} degrees before reading.`]);
  });

  it('makes the lines of a page straight that was laid askew, and names that', async () => {
    const bytes = await readFile(new URL('hard/skew.png', CORPUS));
    const truth = await readFile(new URL('hard/skew.txt', CORPUS), 'utf8');
    const prepared = await read(bytes);
    expect(errorRate(prepared.text, truth)).toBeLessThan(0.05);
    expect(prepared.pages[0]?.steps).toEqual(['deskewed']);
    const asItIs = await read(bytes, { preprocess: false });
    expect(errorRate(asItIs.text, truth)).toBeGreaterThan(0.3);
    expect(asItIs.pages[0]).not.toHaveProperty('steps');
  });

  it('looks again at hard/shadow.jpg, and names that', () => looksAgain(read, 'shadow.jpg'));

  it('keeps the first reading where the time for another look is over', async () => {
    const bytes = await sharp(await readFile(new URL('hard/shadow.jpg', CORPUS)))
      .png()
      .toBuffer();
    const { pages, ending } = await read(bytes, { lookMs: 1 });
    expect(ending).toEqual({ kind: 'ok' });
    expect(pages[0]).not.toHaveProperty('steps');
  });

  it('enlarges a page whose letters are small, and names that', async () => {
    const small = await sharp(await fixture('two-columns.png'))
      .resize({ width: SMALL_WIDTH })
      .png()
      .toBuffer();
    const prepared = await read(small);
    const asItIs = await read(small, { preprocess: false });
    expect(prepared.pages[0]?.steps).toContain('enlarged');
    expect(errorRate(prepared.text, TEXTS['two-columns.png'])).toBeLessThan(
      errorRate(asItIs.text, TEXTS['two-columns.png']) / 2,
    );
  });

  it('keeps a page as it lies that reads badly for another reason', async () => {
    const { warnings, ending } = await read(await fixture('korean.png'), { languageNative: 'eng' });
    expect(ending.kind).toBe('ok');
    expect(warnings).toEqual([]);
  });

  it('reads with English where there is no data for the language, and says so', async () => {
    const { text, warnings, forwarded } = await read(await fixture('one-word.png'), { languageNative: '../xyz' });
    expect(forwarded).toEqual({ language: 'en', languageNative: 'eng', native: {} });
    expect(text).toBe('Delivered');
    expect(warnings).toEqual(['tesseract has no data for language "../xyz"; the page was read with English.']);
  });

  it('refuses a page in a language that there is no data for, and names what to install', async (context) => {
    if (installed?.languages.includes('ell')) return context.skip('Greek data is installed');
    const { ending, pages } = await read(await fixture('greek.png'), { language: 'el', languageNative: 'ell' });
    expect(ending).toMatchObject({ kind: 'refused', message: expect.stringContaining('tesseract-ocr-ell') });
    expect(pages).toEqual([]);
  });

  it('refuses clear letters that it does not know, whatever detection takes them for', async (context) => {
    if (installed?.languages.includes('hye')) return context.skip('Armenian data is installed');
    const corpus = new URL('../../../../../accuracy/corpus/hard/', import.meta.url);
    const { ending, pages } = await read(await readFile(new URL('armenian.hy.png', corpus)));
    expect(ending).toMatchObject({ kind: 'refused', message: expect.stringContaining('letters are clear') });
    expect(pages).toEqual([]);
    const blurred = await read(await readFile(new URL('blur.png', corpus)));
    expect(blurred.ending.kind).toBe('ok');
    // Out of focus, detection takes it for Fraktur.
    const letter = sharp(await readFile(new URL('easy/letter.png', CORPUS))).blur(3);
    expect((await read(await letter.png().toBuffer())).ending.kind).toBe('ok');
  });

  it('reads a mix of languages', async () => {
    const { text } = await read(await fixture('korean.png'), { languageNative: 'kor+eng' });
    expect(errorRate(text, TEXTS['korean.png'])).toBeLessThan(0.05);
  });

  it('answers that it reads no whole documents', async () => {
    const document = { kind: 'document', bytes: Buffer.alloc(0), format: 'pdf', pages: [1] } as const;
    const settings = { language: 'en', languageNative: 'eng', dpi: null, detectTables: false, native: {} };
    const { ending } = await adapter().read(document, settings, new AbortController().signal);
    expect(ending).toMatchObject({ kind: 'failed', temporary: false });
  });
});
