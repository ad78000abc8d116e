import { expect, it } from 'vitest';
import { understoodBody } from './understood-body.ts';

const UNDERSTOOD = {
  engine: 'tesseract',
  inputType: 'url',
  url: 'https://example.com/a.pdf',
  mimeType: null,
  language: 'en',
  languageHints: null,
  dpi: null,
  detectTables: false,
  pageRange: null,
  pageCount: null,
  native: {},
  fallbackEngine: null,
  scannedHandling: 'skip',
  scannedHandlingGiven: false,
  fallback: 'off',
  mode: 'sync',
  webhookUrl: null,
};

it('leaves out what is the default', () => {
  expect(understoodBody({ understood: UNDERSTOOD, outputFormat: 'json' })).toEqual({
    engine: 'tesseract',
    input: { type: 'url', url: 'https://example.com/a.pdf' },
    settings: { language: 'en' },
  });
});

it('spells everything that was asked for in the words of the REST contract', () => {
  const understood = {
    ...UNDERSTOOD,
    inputType: 'base64',
    mimeType: 'application/pdf',
    languageHints: ['deu'],
    dpi: 200,
    detectTables: true,
    pageRange: '1-3',
    pageCount: 2,
    native: { psm: 6 },
    fallbackEngine: 'pdf-text',
    scannedHandling: 'error',
    scannedHandlingGiven: true,
    fallback: 'similar',
    mode: 'async',
    webhookUrl: 'https://example.com/hook',
    maxCost: '20000000',
    include: ['words'],
    preprocess: 'off',
  };
  expect(understoodBody({ understood, outputFormat: 'markdown' })).toEqual({
    engine: 'tesseract',
    input: { type: 'base64', data_base64: 'BASE64_OF_THE_DOCUMENT', mime_type: 'application/pdf' },
    mode: 'async',
    webhook_url: 'https://example.com/hook',
    output_format: 'markdown',
    page_count: 2,
    settings: { language: 'en', dpi: 200, page_range: '1-3', detect_tables: true, preprocess: 'off' },
    options: { language_hints: ['deu'] },
    native_settings: { psm: 6 },
    scanned_handling: 'error',
    fallback_engine: 'pdf-text',
    fallback: 'similar',
    max_cost_usd: 0.02,
    include: ['words'],
  });
});

it('sends no native settings of which only the names are known', () => {
  const understood = { ...UNDERSTOOD, native: ['psm'] };
  expect(understoodBody({ understood, outputFormat: 'json' })).not.toHaveProperty('native_settings');
});
