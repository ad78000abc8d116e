import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../engines/built-in.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import { AppError } from '../../platform/errors.ts';
import type { PagePart } from '../model/include.ts';
import { understand } from '../model/input/understand.ts';
import type { OcrRequestInput } from '../model/ocr-request.input.ts';
import { fingerprint, isFingerprintOf } from './fingerprint.ts';

const catalogue = makeCatalogue(BUILT_IN, { secrets: {}, cores: 2, engineLimitMs: 1000 });
const context = { catalogue, allowPrivateCidrs: [] };
const DATA = Buffer.from('a document of some bytes').toString('base64');

function understood(more: Partial<OcrRequestInput>, data = DATA) {
  const input = { engine: 'tesseract', input: { type: 'base64', dataBase64: data }, ...more } as OcrRequestInput;
  return understand(input, [], context);
}

function print(more: Partial<OcrRequestInput> = {}, data = DATA): string {
  const { effective, bytes } = understood(more, data);
  return fingerprint(effective, bytes && sha256(bytes));
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** What requests had as their fingerprints before any field was added. Their keys are bound to it for ever. */
const RECORDED: readonly [string, Partial<OcrRequestInput>][] = [
  ['1:fqVYTIUohlyHGA73TtHXdOJKo1Uf05PXLdt3Xvrs_IA', {}],
  ['1:d2loxzMXH7VSqPY6jUp9WIK49bP6A_MiqeQ0e6Z6YPI', { input: { type: 'url', url: 'https://example.com/a.png' } }],
  ['1:lr6zwKLpmJ4Xvo8rAFtl-B2EUkaIhfNvyeONB-acYQY', { settings: { language: 'ja', dpi: 200 } }],
  ['1:Na_7i7LYXD-eg3OrR_C0BMaoFo4o2gLm85R7w7Ew6x0', { engine: 'pdf-text', settings: { pageRange: '1-3,5' } }],
  ['1:bOnzZhMFvZzNRvFnYh_kU-NW-1rfWwXE0RA0NkY7zJU', { options: { languageHints: ['jpn', 'eng'], detectTables: true } }],
  ['1:LMDJg8bQ8SEY6FIq5wId77Sycr4RR5xQwvD5rz2Zn4Q', { pageCount: 7, mode: 'async' }],
  ['1:iESiwmq9XAOanre942fpACRgX3t2WpxO--936w0Ijkc', { nativeSettings: { psm: 6, b: { d: 3, c: [2, 1] } } }],
  ['1:yAoLdnOsiRCa0i35WbV_6YvFN9bpiFS92V27-KviG10', { fallback: 'similar', outputFormat: 'markdown' }],
  [
    '1:BcsqWlJNk6mPFw46M3ngUBJWd7uncFy1I0JUdqiqXe4',
    { engine: 'pdf-text', fallbackEngine: 'tesseract', scannedHandling: 'fallback' },
  ],
  [
    '1:NKVgObJzJKDvQrCo8pqqSZyaRSb2bbYCEO6IwuFJAA8',
    { engine: 'pdf-text', scannedHandling: 'error', outputFormat: 'text' },
  ],
];

describe('the fingerprint of the effective request', () => {
  it.each<[string, Partial<OcrRequestInput>]>([
    ['page_count 1', { pageCount: 1 }],
    ['output_format json', { outputFormat: 'json' }],
    ['mode sync', { mode: 'sync' }],
    ['language en', { settings: { language: 'en' } }],
    ['preprocess auto', { settings: { preprocess: 'auto' } }],
    ['fallback off', { fallback: 'off' }],
    ['empty options', { options: {}, settings: {}, nativeSettings: {} }],
    ['scanned_handling skip', { scannedHandling: 'skip' }],
  ])('is the same with the default written out: %s', (_, more) => {
    expect(print(more)).toBe(print());
  });

  it('is the same for other line breaks in the base64', () => {
    expect(print({}, DATA.replace(/(.{4})/g, '$1\r\n'))).toBe(print());
  });

  it('takes the two detect_tables as one', () => {
    expect(print({ options: { detectTables: true } })).toBe(print({ settings: { detectTables: true } }));
  });

  it('does not depend on the order of keys in native_settings', () => {
    expect(print({ nativeSettings: { a: 1, b: { c: 2, d: 3 } } })).toBe(
      print({ nativeSettings: { b: { d: 3, c: 2 }, a: 1 } }),
    );
  });

  it('ignores the mime type', () => {
    expect(print({ input: { type: 'base64', dataBase64: DATA, mimeType: 'image/png' } })).toBe(print());
  });

  it.each<[string, Partial<OcrRequestInput>]>([
    ['engine', { engine: 'pdf-text' }],
    ['page_count', { pageCount: 2 }],
    ['language', { settings: { language: 'ja' } }],
    ['language_hints', { options: { languageHints: ['jpn'] } }],
    ['dpi', { settings: { dpi: 200 } }],
    ['page_range', { settings: { pageRange: '1' } }],
    ['detect_tables', { settings: { detectTables: true } }],
    ['preprocess', { settings: { preprocess: 'off' } }],
    ['native_settings', { nativeSettings: { psm: 6 } }],
    ['order inside an array', { nativeSettings: { list: [2, 1] } }],
    ['fallback', { fallback: 'similar' }],
    ['fallback_engine', { fallbackEngine: 'tesseract' }],
    ['output_format', { outputFormat: 'text' }],
  ])('changes with %s', (_, more) => {
    expect(print(more)).not.toBe(print());
  });

  it.each(RECORDED)('is %s, as ever, for %j', (recorded, more) => {
    expect(print(more)).toBe(recorded);
  });

  it('is that of a request with the default dpi, spelled out or not, and stays what it was', () => {
    const [of300, without, of200] = [{ settings: { dpi: 300 } }, {}, { settings: { dpi: 200 } }].map((more) => ({
      effective: understood(more).effective,
      print: print(more),
    }));
    expect(of300?.print).toBe('1:SusNZnCMPT2CABYwo20DchLshi0jviBxn0jUl3xrbSQ');
    const hash = sha256(Buffer.from(DATA, 'base64'));
    const same = [of300, without, of200].map((one) =>
      [of300, without, of200].map((other) => one && other && isFingerprintOf(one.print, other.effective, hash)),
    );
    expect(same).toEqual([
      [true, true, false],
      [true, true, false],
      [false, false, true],
    ]);
  });

  it('changes with what the result is to carry, whatever its order', () => {
    const { effective, bytes } = understood({});
    const including = (...include: PagePart[]) => fingerprint({ ...effective, include }, bytes && sha256(bytes));
    expect(including()).toBe(print());
    expect(including('words')).not.toBe(print());
    expect(including('words', 'pages')).toBe(including('pages', 'words'));
    expect(including('words', 'pages')).not.toBe(including('words'));
  });

  it('changes with any byte of the document', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, flip) => {
          const other = Uint8Array.from(bytes);
          other[at % bytes.length] = (other[at % bytes.length] ?? 0) ^ flip;
          return print({}, Buffer.from(bytes).toString('base64')) !== print({}, Buffer.from(other).toString('base64'));
        },
      ),
    );
  });
});

describe('what is refused before anything is done', () => {
  it.each<[Partial<OcrRequestInput>, RegExp]>([
    [{ input: { type: 'file' } }, /^input\.type/],
    [{ input: { type: 'url' } }, /^input\.url/],
    [{ input: { type: 'base64' } }, /^input\.data_base64/],
    [{ input: { type: 'base64', dataBase64: `data:image/png;base64,${DATA}` } }, /data:/],
    [{ pageCount: 0 }, /^page_count/],
    [{ pageCount: 201 }, /^page_count/],
    [{ settings: { pageRange: '1-201' } }, /page_range/],
    [{ scannedHandling: 'fallback' }, /fallback_engine/],
    [{ webhookUrl: 'https://example.com' }, /^webhook_url/],
    [{ nativeSettings: { text: 'a\u0000b' } }, /^native_settings/],
    [{ settings: { language: 'a\ud800' } }, /^settings\.language/],
  ])('%j', (more, message) => {
    expect(() => print(more)).toThrow(message);
    expect(() => print(more)).toThrow(AppError);
  });
});
