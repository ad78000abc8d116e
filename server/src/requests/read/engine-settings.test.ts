import { expect, it } from 'vitest';
import type { Engine, EngineSettings, Forwarded } from '../../engines/model/engine.ts';
import type { Effective } from '../model/effective.ts';
import { appliedSettings } from './engine-settings.ts';
import type { PageResult } from './page-result.ts';

const SETTINGS = { language: 'ja', languageNative: 'Japanese', dpi: null, detectTables: true, native: {} };
const effective = { pageRange: null, detectTables: true, outputFormat: 'json' } as Effective; // what is read of it

/** What is told of calls that said such things. */
function appliedBy(
  adapter: string,
  settings: Partial<EngineSettings>,
  words: readonly (Partial<Forwarded> | null)[],
  pagesPerCall = 1,
) {
  const results = words.map((forwarded) => ({ reading: { ...(forwarded && { forwarded }) } }) as PageResult); // as above
  const engine = { id: 'x', adapter } as Engine; // as above
  const more = { engine, results, pagesPerCall, billedPages: 1, rendered: false };
  return appliedSettings(effective, { settings: { ...SETTINGS, ...settings }, ...more });
}

it('is what an adapter sends on where no call said more: it was not made, or nobody knows how it ended', () => {
  const native = { seed: 1, max_tokens: 100_000 };
  expect(appliedBy('openai', { native }, [null])).toMatchObject({
    language: 'ja',
    languageNative: 'Japanese',
    native: { seed: 1, max_tokens: 8192 },
  });
  expect(appliedBy('openai', { native }, [], 2).native).toEqual({ seed: 1, max_tokens: 16_384 });
  expect(appliedBy('openai', { native: { max_tokens: -5 } }, []).native).toBeNull();
});

it('is what the last call said that it told the engine', () => {
  const native = { max_tokens: 100_000 };
  const words = [{ native: { max_tokens: 8192 } }, { native: { max_tokens: 4096 } }, null];
  expect(appliedBy('openai', { native }, words)).toMatchObject({ language: 'ja', native: { max_tokens: 4096 } });
  expect(appliedBy('openai', { native }, [{ native: {} }]).native).toBeNull();
});

it('is as the caller wants it where the adapter tells all of that as it is', () => {
  const native = { table_format: 'html' };
  expect(appliedBy('mistral-ocr', { native }, [])).toMatchObject({ language: 'ja', detectTables: true, native });
});

it('finds no tables where the engine’s own parameter says so', () => {
  const options = { do_table_structure: false };
  expect(appliedBy('docling', { native: { options } }, []).detectTables).toBe(false);
  expect(appliedBy('docling', {}, []).detectTables).toBe(true);
});
