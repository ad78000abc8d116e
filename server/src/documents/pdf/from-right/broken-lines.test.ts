import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Documents } from '../../documents.ts';
import { joinBrokenLines, type PlacedGlyph } from './broken-lines.ts';

const WIDTH = 8;
const HEIGHT = 14;
const break_ = (at: { x: number; y: number }): PlacedGlyph[] =>
  ['\r', '\n'].map((text) => ({ text, ...at, left: at.x, right: at.x, height: 0, isGenerated: true }));

/** Runs at places of a line, counted in glyphs from the left, as PDFium gives them: with a break behind each. */
function page(...lines: readonly (readonly [place: number, text: string])[][]): PlacedGlyph[] {
  return lines.flatMap((runs, line) =>
    runs.flatMap(([place, text]) => {
      const y = 700 - 20 * line;
      const glyphs = [...text].map((letter, index) => {
        const x = WIDTH * (/[\d.]/.test(letter) ? place + index : place + text.length - 1 - index);
        return { text: letter, x, y, left: x, right: x + WIDTH, height: HEIGHT, isGenerated: false };
      });
      return [...glyphs, ...break_({ x: WIDTH * place, y })];
    }),
  );
}

describe('joinBrokenLines', () => {
  it('reads the runs of a line from the right, with blanks where there is room', () => {
    const line = [
      [0, 'ד'],
      [1, 'ג'],
      [3, 'ב'],
      [4, 'א'],
    ] as [number, string][];
    expect(joinBrokenLines(page(line, line))).toBe('אב גד\nאב גד');
  });

  it('keeps numbers, and runs of several letters, as they are', () => {
    const line: [number, string][] = [
      [0, 'ה'],
      [2, '12.3'],
      [6, '05'],
      [9, 'מחיר'],
    ];
    expect(joinBrokenLines(page(line))).toBe('מחיר 12.305 ה');
  });

  it('keeps columns apart', () => {
    const words = (from: number): [number, string][] =>
      [0, 1, 2, 3].map((place) => [from + place, 'דגבא'[place] ?? '']);
    expect(joinBrokenLines(page([...words(0), ...words(20)]))).toBe('אבגד\nאבגד');
  });

  it('leaves pages alone whose breaks are ends of lines', () => {
    expect(joinBrokenLines(page([[0, 'אבגד']], [[0, 'הוזח']], [[0, 'טיכל']], [[0, 'מנסע']]))).toBeNull();
    expect(joinBrokenLines([])).toBeNull();
  });

  it('ends soon on a page of very many glyphs', () => {
    const line: [number, string][] = Array.from({ length: 300 }, (_, place) => [place * 5, 'א']);
    const started = performance.now();
    joinBrokenLines(page(...Array.from({ length: 300 }, () => line)));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('the text of a PDF that Chromium has printed', () => {
  const documents = new Documents({
    threads: 1,
    maxPixels: 1e6,
    maxSentPixels: 1e6,
    maxPages: 9,
    pdfTimeoutMs: 60_000,
    memoryMb: 256,
  });
  afterAll(() => documents[Symbol.asyncDispose]());

  it('has whole lines of Hebrew, whose glyphs stand there one by one from the left', async () => {
    const pdf = await readFile(new URL('../../../../../test/fixtures/hebrew-glyph-by-glyph.pdf', import.meta.url));
    const [page] = await documents.text(pdf, [1]);
    expect(page).toMatchObject({ kind: 'text', text: 'הספרייה פתוחה בימי ראשון, משעה 9.30 ועד הערב.' });
  });
});

it('a line of as many letters as a hostile page has is not broken up', () => {
  expect(joinBrokenLines(page([[0, 'א'.repeat(200_000)]]))).toBeNull();
});
