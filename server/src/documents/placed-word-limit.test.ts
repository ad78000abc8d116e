import { afterAll, expect, it } from 'vitest';
import { densePdf, WORDS_OF_A_DENSE_PAGE } from '../../../test/house/dense-pdf.ts';
import { Documents } from './documents.ts';
import { wordCount } from './positions/pack-words.ts';

const documents = new Documents({
  threads: 2,
  maxPixels: 4e6,
  maxSentPixels: 4e6,
  maxPages: 50,
  pdfTimeoutMs: 60_000,
  memoryMb: 512,
});
afterAll(() => documents[Symbol.asyncDispose]());

it('places no more words of a document than can be stored, and reads all of its text', async () => {
  const pages = Array.from({ length: 30 }, (_, index) => index + 1);
  const found = await documents.text(densePdf(pages.length), pages, { positions: true });
  expect(found.every(({ text }) => text.split(/\s+/).length === WORDS_OF_A_DENSE_PAGE)).toBe(true);
  const placed = found.map(({ words }) => wordCount(words));
  expect(placed[0]).toBe(WORDS_OF_A_DENSE_PAGE);
  expect(placed.reduce((sum, words) => sum + words)).toBeLessThanOrEqual(500_000);
}, 120_000);
