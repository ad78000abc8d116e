import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../../engines/built-in.ts';
import { makeCatalogue } from '../../../engines/make-catalogue.ts';
import { AppError } from '../../../platform/errors.ts';
import type { OcrRequestInput } from '../ocr-request.input.ts';
import { interpret, understand } from './understand.ts';

const settings = { secrets: {}, cores: 2, engineLimitMs: 1000 };
const once = { catalogue: makeCatalogue(BUILT_IN, settings), allowPrivateCidrs: ['127.0.0.0/8'] };
/** Of a configuration that has none of the engines any more, and opens nothing. */
const today = { catalogue: makeCatalogue([], settings), allowPrivateCidrs: [] };

function request(more: Partial<OcrRequestInput> = {}): OcrRequestInput {
  return { engine: 'tesseract', input: { type: 'base64', dataBase64: 'YWJj' }, ...more };
}

it.each<Partial<OcrRequestInput>>([
  {},
  { pageCount: 7, mode: 'async', webhookUrl: 'http://127.0.0.1/' },
  { input: { type: 'url', url: 'http://127.0.0.1/a.png' } },
  { engine: 'pdf-text', fallbackEngine: 'tesseract', settings: { pageRange: '1-3,5' } },
])('what the body of %j says does not depend on the catalogue', (more) => {
  const { resolved, objection, ...fields } = interpret(request(more), [], today);
  expect(resolved).toBeNull();
  expect(objection?.code).toBe('unknown_engine');
  const { engine, fallbackEngine, pages, ...understood } = understand(request(more), [], once);
  expect(fields).toEqual(understood);
});

describe('of what is wrong with a request its caller is told what comes first', () => {
  it.each<[Partial<OcrRequestInput>, RegExp]>([
    [{ pageCount: 200_000 }, /^page_count/],
    [{ input: { type: 'file' } }, /^engine: there is no engine/],
    [{ input: { type: 'base64', dataBase64: '*' } }, /^engine: there is no engine/],
    [{ pageCount: 0 }, /^engine: there is no engine/],
    [{ settings: { pageRange: '2-1' } }, /^engine: there is no engine/],
  ])('%j, of an engine that is gone', (more, message) => {
    expect(() => interpret(request(more), [], today)).toThrow(message);
    expect(() => interpret(request(more), [], today)).toThrow(AppError);
  });

  it.each<[Partial<OcrRequestInput>, RegExp]>([
    [{ fallbackEngine: 'gone', scannedHandling: 'never' }, /^scanned_handling/],
    [{ fallbackEngine: 'gone', mode: 'never' }, /^fallback_engine/],
    [{ webhookUrl: 'http://10.0.0.1/', mode: 'async', fallback: 'never' }, /^webhook_url/],
  ])('%j', (more, message) => {
    expect(() => interpret(request(more), [], once)).toThrow(message);
  });
});
