import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BUILT_IN } from './built-in.ts';
import { mergeEntries, readEnginesFile } from './engines-file.ts';

const ENTRY = { id: 'x', name: 'X', provider: 'somewhere', adapter: 'openai', price_per_page_usd: 0 };
const PRICES = { input_per_million_usd: 1, output_per_million_usd: 4 };

function merged(...engines: object[]) {
  return mergeEntries(BUILT_IN, { engines });
}

it('names a field that there is not, also within prices: a fee that is misspelt would not be charged', () => {
  expect(() => merged({ ...ENTRY, concurency: 1 })).toThrow(/x\.: Unrecognized key: "concurency"/);
  const token_prices = { ...PRICES, fee_per_cal_usd: 1 };
  expect(() => merged({ ...ENTRY, token_prices })).toThrow(/x\.token_prices: Unrecognized key: "fee_per_cal_usd"/);
});

it('reads a file as editors of Windows write it, with a mark of its encoding', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-engines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'engines.json');
  writeFileSync(file, '\uFEFF{"engines": []}');
  expect(readEnginesFile(file)).toEqual({ engines: [] });
});
