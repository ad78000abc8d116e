import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const folder = mkdtempSync(join(tmpdir(), 'ocr-secrets-'));
const file = join(folder, 'database-url');
writeFileSync(file, 'postgres://ocr:secret@postgres/ocr\n');
afterAll(() => rmSync(folder, { recursive: true }));

it('reads a secret from the file that NAME_FILE names', () => {
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://ocr:secret@postgres/ocr');
  expect(readConfig({ DATABASE_URL_FILE: '' }).databaseUrl).toBe(null);
});

it('refuses a secret that is given twice, and a file that is not there', () => {
  expect(() => readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://x' })).toThrow(/both set/);
  expect(() => readConfig({ METRICS_TOKEN_FILE: join(folder, 'none') })).toThrow(/METRICS_TOKEN_FILE: .*ENOENT/);
});

it('refuses an empty file: it does not stand for a secret that is not set', () => {
  const empty = join(folder, 'empty');
  writeFileSync(empty, '\n');
  expect(() => readConfig({ METRICS_TOKEN_FILE: empty })).toThrow(`METRICS_TOKEN_FILE: the file is empty: ${empty}`);
  expect(() => readConfig({ DATABASE_URL_FILE: empty })).toThrow(/DATABASE_URL_FILE: the file is empty/);
});
