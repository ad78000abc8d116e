import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../engines/built-in.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import { AppError } from '../../platform/errors.ts';
import { understand } from '../model/effective.ts';
import type { OcrRequestInput } from '../model/ocr-request.input.ts';
import { fingerprint } from './fingerprint.ts';

const catalogue = makeCatalogue(BUILT_IN, { secrets: {}, cores: 2, engineLimitMs: 1000 });
const context = { catalogue, allowPrivateCidrs: [] };
const DATA = Buffer.from('a document of some bytes').toString('base64');

function print(more: Partial<OcrRequestInput> = {}, data = DATA): string {
  const input = { engine: 'tesseract', input: { type: 'base64', dataBase64: data }, ...more } as OcrRequestInput;
  const { effective, bytes } = understand(input, [], context);
  return fingerprint(effective, bytes);
}

describe('the fingerprint of the effective request', () => {
  it.each<[string, Partial<OcrRequestInput>]>([
    ['page_count 1', { pageCount: 1 }],
    ['output_format json', { outputFormat: 'json' }],
    ['mode sync', { mode: 'sync' }],
    ['language en', { settings: { language: 'en' } }],
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
    ['native_settings', { nativeSettings: { psm: 6 } }],
    ['order inside an array', { nativeSettings: { list: [2, 1] } }],
    ['fallback', { fallback: 'similar' }],
    ['fallback_engine', { fallbackEngine: 'tesseract' }],
    ['output_format', { outputFormat: 'text' }],
  ])('changes with %s', (_, more) => {
    expect(print(more)).not.toBe(print());
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
    [{ settings: { language: 'a\ud800' } }, /^language/],
  ])('%j', (more, message) => {
    expect(() => print(more)).toThrow(message);
    expect(() => print(more)).toThrow(AppError);
  });
});
