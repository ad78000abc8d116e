import { afterAll, expect, it } from 'vitest';
import { makePdf, type PdfPage } from '../../../../test/house/pdf.ts';
import { Documents } from '../documents.ts';
import type { PlacedLine } from '../formats/document.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 4e6,
  maxSentPixels: 4e6,
  maxPages: 5,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

async function read(page: PdfPage): Promise<{ text: string; lines: readonly PlacedLine[] }> {
  const [found] = await documents.text(makePdf([page]), [1], { positions: true });
  return { text: found?.text ?? '', lines: found?.lines ?? [] };
}

it('a word that is divided at the end of a line stands in both lines, each part in its place', async () => {
  const { text, lines } = await read({ text: 'Before full document digiti-\nzation pipelines were written', size: [400, 500] });
  expect(text).toBe('Before full document digiti-\nzation pipelines were written');
  expect(lines.map((line) => line.text)).toEqual(text.split('\n'));
  const [first, second] = lines.map(({ box }) => ({ top: box[1], bottom: box[7] }));
  expect(first?.bottom).toBeLessThan((second?.top ?? 0) + 0.01);
  expect(lines[1]?.words[0]).toMatchObject({ text: 'zation' });
});
