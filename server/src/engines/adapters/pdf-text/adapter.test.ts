import { describe, expect, it } from 'vitest';
import type { Documents } from '../../../documents/documents.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { pdfText } from './adapter.ts';

const BYTES = Buffer.from('%PDF-1.7');
const PDF: EngineInput = { kind: 'document', bytes: BYTES, format: 'pdf', pages: [1, 3] };
const SETTINGS = {
  language: 'en',
  languageNative: 'eng',
  dpi: null,
  detectTables: false,
  native: {},
} as EngineSettings;

function open(text: Documents['text']): Adapter {
  // The adapter uses the documents alone, and opens at once.
  return pdfText.open({} as Engine, { documents: { text } } as unknown as AdapterTools) as Adapter;
}

describe('pdf-text', () => {
  it('needs no configuration and costs nothing', () => {
    expect(missingSetting(pdfText, { baseUrl: null, apiKey: null, model: null, region: null })).toBeNull();
    expect(pdfText).toMatchObject({ name: 'pdf-text', local: true, languageFamily: 'three-letter' });
  });

  it('asks for the pages and answers with one reading each', async () => {
    const { signal } = new AbortController();
    const asked: unknown[] = [];
    const adapter = open(async (...args) => {
      asked.push(args);
      return [
        { number: 1, text: 'one', kind: 'text', reason: null },
        { number: 2, text: '%&', kind: 'scanned', reason: 'its text is invisible over an image' },
        { number: 3, text: ' \n', kind: 'blank', reason: null },
      ];
    });
    const reading = await adapter.read({ ...PDF, party: 'account' }, SETTINGS, signal);
    expect(asked).toEqual([[BYTES, [1, 3], { signal, party: 'account' }]]);
    expect(reading).toEqual({
      ending: { kind: 'ok' },
      pages: [
        { number: 1, text: 'one', confidence: null, source: 'text_layer' },
        {
          number: 2,
          text: '',
          confidence: null,
          source: 'text_layer',
          scanned: { reason: 'its text is invisible over an image' },
        },
        { number: 3, text: '', confidence: null, source: 'text_layer' },
      ],
      usage: null,
      billed: 'no',
      providerRequestId: null,
      modelVersion: null,
      warnings: [],
    });
  });

  it('reads no pictures', async () => {
    const picture = { bytes: BYTES, mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] } as const;
    const adapter = open(async () => []);
    const reading = await adapter.read({ kind: 'picture', page: 1, picture }, SETTINGS, new AbortController().signal);
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: false }, pages: [], billed: 'no' });
  });

  it('says that a broken PDF is unreadable', async () => {
    const adapter = open(async () => {
      throw new AppError('unprocessable_entity', 'The PDF is damaged.');
    });
    const reading = await adapter.read(PDF, SETTINGS, new AbortController().signal);
    expect(reading.ending).toEqual({ kind: 'unreadable', message: 'The PDF is damaged.' });
  });

  it('lets an abort through', async () => {
    const reason = new Error('time is over');
    const adapter = open(async (_bytes, _pages, wish) => {
      throw wish?.signal?.reason;
    });
    await expect(adapter.read(PDF, SETTINGS, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
