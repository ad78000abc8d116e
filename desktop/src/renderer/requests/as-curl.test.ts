import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { asCurl, requestBody } from './as-curl.ts';

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
  expect(requestBody({ understood: UNDERSTOOD, outputFormat: 'json' })).toEqual({
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
  };
  expect(requestBody({ understood, outputFormat: 'markdown' })).toEqual({
    engine: 'tesseract',
    input: { type: 'base64', data_base64: 'BASE64_OF_THE_DOCUMENT', mime_type: 'application/pdf' },
    mode: 'async',
    webhook_url: 'https://example.com/hook',
    output_format: 'markdown',
    page_count: 2,
    settings: { language: 'en', dpi: 200, page_range: '1-3', detect_tables: true },
    options: { language_hints: ['deu'] },
    native_settings: { psm: 6 },
    scanned_handling: 'error',
    fallback_engine: 'pdf-text',
    fallback: 'similar',
  });
});

it('sends no native settings of which only the names are known', () => {
  const understood = { ...UNDERSTOOD, native: ['psm'] };
  expect(requestBody({ understood, outputFormat: 'json' })).not.toHaveProperty('native_settings');
});

it('survives a shell, whatever the fields hold', () => {
  const url = `https://example.com/it's $(touch /tmp/x) \`id\` "a" \\.pdf`;
  const command = asCurl('http://127.0.0.1:8080/', { understood: { ...UNDERSTOOD, url }, outputFormat: 'json' });
  const seen = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }; uuidgen() { echo u; }\n${command}`], {
    env: { ...process.env, OCR_ROUTER_KEY: 'k' },
  })
    .toString()
    .split('\0');
  expect(seen).toContain('http://127.0.0.1:8080/v1/ocr');
  expect(seen).toContain('Authorization: Bearer k');
  expect(JSON.parse(seen[seen.indexOf('-d') + 1] ?? '').input.url).toBe(url);
});
