import { afterAll, describe, expect, it } from 'vitest';
import { type Cluster, glyphByGlyph } from '../../../../../test/house/glyph-by-glyph.ts';
import { Documents } from '../../documents.ts';
import { linesOfBytes } from '../../positions/line-bytes.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 1e6,
  maxSentPixels: 1e6,
  maxPages: 9,
  pdfTimeoutMs: 60_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

async function read(pdf: Buffer) {
  const [page] = await documents.text(pdf, [1], { positions: true });
  const packed = page?.words?.page;
  const lines = packed ? [...linesOfBytes(Buffer.from(packed.bytes))] : [];
  const words = lines.map(([, , , , inside]) => inside.map(([word]) => word));
  return { text: page?.text, words };
}

/** Letters with a sign behind them, as in Devanagari. */
const KAA: Cluster = { text: 'का', glyphs: [{ shown: 'a' }, { shown: 'b' }] };

describe('text whose glyphs are drawn one by one', () => {
  it('has blanks where they are drawn, and none within a word behind a cluster', async () => {
    const { text, words } = await read(glyphByGlyph(['c', KAA, 'c', KAA, ' ', KAA, 'c', ' ', 'd']));
    expect(text).toBe('cकाcका काc d');
    expect(words).toEqual([['cकाcका', 'काc', 'd']]);
  });

  it('has a cluster once, though the next letter stands to the left of its mark', async () => {
    const marked: Cluster = { text: 'นุ', glyphs: [{ shown: 'm' }, { shown: 'c', by: 3, isMark: true }] };
    const { text, words } = await read(glyphByGlyph(['c', marked, 'd', 'd', ' ', marked, 'd']));
    expect(text).toBe('cนุdd นุd');
    expect(words).toEqual([['cนุdd', 'นุd']]);
  });

  it('keeps words apart that stand far from each other without a blank between them', async () => {
    const far = { glyphs: [{ shown: 'd', by: 40 }] };
    expect((await read(glyphByGlyph(['c', ' ', KAA, far]))).text).toBe('c का d');
  });

  it('keeps its lines', async () => {
    expect((await read(glyphByGlyph(['c', ' ', KAA], [KAA, ' ', 'd']))).text).toBe('c का\nका d');
  });
});
