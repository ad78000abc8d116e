import { afterAll, expect, it } from 'vitest';
import { type Cluster, glyphByGlyph } from '../../../../../test/house/glyph-by-glyph.ts';
import { Documents } from '../../documents.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 1e6,
  maxSentPixels: 1e6,
  maxPages: 9,
  pdfTimeoutMs: 60_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

/** As lines stand from left to right; letters from the right are drawn as some Latin glyph. */
async function textOf(...lines: string[]) {
  const cluster = (text: string): Cluster => ({ text, glyphs: [{ shown: 'a' }] });
  const drawn = lines.map((line) => [...line].map((text) => (/[א-ת]/.test(text) ? cluster(text) : text)));
  const [page] = await documents.text(glyphByGlyph(...drawn), [1]);
  return page?.text;
}

it('reads lines from the right with the blanks that are drawn, and what runs from the left in its order', async () => {
  expect(await textOf('.ד abc m ג בא', 'ו ה')).toBe('אב ג abc m ד.\nה ו');
});

it('reads what runs from the right in lines from the left', async () => {
  expect(await textOf('abcd דג בא abcd', 'abc')).toBe('abcd אב גד abcd\nabc');
});

it('turns a bracket that PDFium has turned, and one that it has not', async () => {
  expect(await textOf('.ד (abc) ג בא')).toBe('אב ג (abc) ד.');
});
