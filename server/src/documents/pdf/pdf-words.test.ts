import { afterAll, expect, it } from 'vitest';
import { makePdf, type PdfPage } from '../../../../test/house/pdf.ts';
import { Documents } from '../documents.ts';
import type { PlacedWord } from '../formats/document.ts';
import { linesOfBytes } from '../positions/line-bytes.ts';
import { type PackedQuad, STEPS } from '../positions/packed-line.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 4e6,
  maxSentPixels: 4e6,
  maxPages: 5,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

interface ReadWord {
  readonly text: string;
  readonly box: PlacedWord['box'];
}

async function read(page: PdfPage): Promise<{ text: string; lines: (ReadWord & { words: ReadWord[] })[] }> {
  const [found] = await documents.text(makePdf([page]), [1], { positions: true });
  const packed = found?.words?.page;
  const lines = packed ? [...linesOfBytes(Buffer.from(packed.bytes))] : [];
  const fractions = (quad: PackedQuad) => quad.map((step) => step / STEPS) as unknown as PlacedWord['box']; // eight
  return {
    text: found?.text ?? '',
    lines: lines.map(([text, quad, , , words]) => ({
      text,
      box: fractions(quad),
      words: words.map(([word, box]) => ({ text: word, box: fractions(box) })),
    })),
  };
}

it('a word that is divided at the end of a line stands in both lines, each part in its place', async () => {
  const { text, lines } = await read({
    text: 'Before full document digiti-\nzation pipelines were written',
    size: [400, 500],
  });
  expect(text).toBe('Before full document digiti-\nzation pipelines were written');
  expect(lines.map((line) => line.text)).toEqual(text.split('\n'));
  const [first, second] = lines.map(({ box }) => ({ top: box[1], bottom: box[7] }));
  expect(first?.bottom).toBeLessThan((second?.top ?? 0) + 0.01);
  expect(lines[1]?.words[0]).toMatchObject({ text: 'zation' });
});

it('a glyph without a character does not divide its word, and is told from a hyphen at the end of a line', async () => {
  const { text, lines } = await read({
    text: 'Before full document digiti-\nzation pipelines were written',
    content: 'BT /nameless 12 Tf 72 600 Td (several di!culties) Tj ET',
  });
  expect(text.split(/\r?\n/)).toEqual([
    'Before full document digiti-',
    'zation pipelines were written',
    'several di\ufffdculties',
  ]);
  expect(lines.flatMap(({ words }) => words.map((word) => word.text))).toEqual(text.split(/\s+/));
});

it('glyphs that PDFium does not count do not cut the text off', async () => {
  const { text } = await read({
    text: 'Plain words before',
    content: `BT /Helvetica 12 Tf 72 600 Td <${Buffer.from('and behind').toString('hex').replace(/../g, '00$&')}> Tj ET`,
  });
  expect(text.split(/\s+/).join(' ')).toBe('Plain words before and behind');
});

it('characters that are none are as in the page’s text', async () => {
  const { text, lines } = await read({
    text: 'Plain words before',
    content: 'BT /fourBytes 12 Tf 72 600 Td <f0a8a780f0a8a780> Tj ET BT /Helvetica 12 Tf 72 500 Td (and behind) Tj ET',
  });
  expect(lines.flatMap(({ words }) => words.map((word) => word.text))).toEqual(text.split(/\s+/));
});

it.each([
  ['tall', '2 0 0 2', { across: 1, up: -1, scale: 2 }],
  ['flat', '1 0 0 1', { across: 1, up: -1, scale: 1 }],
  ['tall', '0 -1 1 0', { across: 0, up: 1, scale: 1 }],
])('the words of a font that is %s by what it says are as high as letters are (%s)', async (font, matrix, to) => {
  const { across, up, scale } = to;
  const { lines } = await read({
    size: [400, 500],
    text: 'A page of plain words',
    content: `BT /${font} 20 Tf ${matrix} 200 250 Tm (letteris) Tj ET`,
  });
  const { box } = lines.find((line) => line.text === 'letteris') ?? { box: [] };
  const [size, origin] = across === 1 ? [500, 250] : [400, 200];
  const heights = box.filter((_, index) => index % 2 === across).map((place) => up * (place * size - origin));
  const [descent, ascent] = [Math.min(...heights), Math.max(...heights)];
  expect(ascent).toBeGreaterThan(14 * scale); // a capital letter's height
  expect(ascent).toBeLessThan(22 * scale);
  expect(descent).toBeGreaterThan(-7 * scale);
  expect(descent).toBeLessThan(-3.9 * scale);
});

/** Text on a page of 400 by 500 points whose letters follow a direction from 200, 250. */
function running(matrix: string): PdfPage {
  return { size: [400, 500], content: `BT /Helvetica 20 Tf ${matrix} 200 250 Tm (first last) Tj ET` };
}

it.each([
  ['to the right', '1 0 0 1', { x: 1, y: 0 }],
  ['up', '0 1 -1 0', { x: 0, y: -1 }],
  ['to the left, upside down', '-1 0 0 -1', { x: -1, y: 0 }],
  ['down', '0 -1 1 0', { x: 0, y: 1 }],
])(
  'text that runs %s begins at the first corner of its box, and is read along its first side',
  async (_, matrix, to) => {
    const { lines } = await read(running(matrix));
    const box = lines[0]?.box;
    if (!box) throw new Error('there is no line');
    const [x1, y1, x2, y2, , , x4, y4] = box;
    const [start, end, below] = [
      [x1 * 400, y1 * 500],
      [x2 * 400, y2 * 500],
      [x4 * 400, y4 * 500],
    ] as const;
    expect([Math.sign(Math.round(end[0] - start[0])), Math.sign(Math.round(end[1] - start[1]))]).toEqual([to.x, to.y]);
    // The origin is the lower end of the first letter: near the last corner, by less than the descent of the letters.
    expect(Math.hypot(below[0] - 200, below[1] - 250)).toBeLessThan(10);
    const [first, last] = lines[0]?.words ?? [];
    const along = (word: typeof first) => (word?.box[0] ?? 0) * 400 * to.x + (word?.box[1] ?? 0) * 500 * to.y || 0;
    expect(along(first)).toBeLessThan(along(last));
  },
);
