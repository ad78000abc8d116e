import { describe, expect, it } from 'vitest';
import { atOnce } from '../../platform/turns/slices.ts';
import { bytesOfLines, linesOfBytes } from './line-bytes.ts';
import type { PackedLine, PackedQuad, PackedWord } from './packed-line.ts';

const CORNERS: PackedQuad = [100, 200, 900, 200, 900, 300, 100, 300];

function turned(quad: PackedQuad, quarters: number): PackedQuad {
  return [...quad.slice(2 * quarters), ...quad.slice(0, 2 * quarters)];
}

function lineOf(words: readonly PackedWord[], more: Partial<{ text: string; block: number }> = {}): PackedLine {
  const text = more.text ?? words.map(([word]) => word).join(' ');
  return [text, CORNERS, null, more.block ?? null, words];
}

describe('lines as bytes', () => {
  const cases: Record<string, PackedLine[]> = {
    'without lines': [],
    'a line without words': [lineOf([], { text: 'alone' })],
    'words behind each other': [
      lineOf([
        ['Invoice', [100, 200, 300, 200, 300, 300, 100, 300], 987, 0, 7],
        ['0042', [320, 200, 400, 200, 400, 300, 320, 300], 0, 8, 12],
      ]),
      lineOf([['below', [100, 320, 200, 320, 200, 410, 100, 410], null, 13, 18]]),
    ],
    'a line whose text is not its words': [lineOf([['日本', CORNERS, null, 0, 2]], { text: '日 本', block: 3 })],
    'letters beyond ASCII and beyond two bytes': [
      lineOf([
        ['Straße', CORNERS, null, 0, 6],
        ['𝒳😀', CORNERS, null, 7, 9],
        ['', CORNERS, null, null, null],
        ['ﬁrst', CORNERS, null, 10, 14],
      ]),
    ],
    'words that stand elsewhere, and back': [
      lineOf([
        ['b', CORNERS, null, 900, 901],
        ['a', CORNERS, null, 3, 4],
      ]),
    ],
    'first corners on each side': [0, 1, 2, 3].map((quarters) =>
      lineOf([['up', turned(CORNERS, quarters), 500, 0, 2]]),
    ),
    'a box without width, and one without anything': [
      lineOf([
        ['|', [5, 1, 5, 1, 5, 9, 5, 9], null, 0, 1],
        ['.', [0, 0, 0, 0, 0, 0, 0, 0], null, 1, 2],
        ['|', [5, 1, 5, 9, 5, 9, 5, 1], null, 2, 3],
      ]),
    ],
    'lines that slope, and stick out of the page': [
      lineOf([['askew', [-500, 90_000, 99_999, 100_500, 99_000, 100_000, 0, 89_000], 1000, null, null]], { block: -1 }),
    ],
  };

  for (const [name, lines] of Object.entries(cases)) {
    it(`come back as they were: ${name}`, () => expect([...linesOfBytes(atOnce(bytesOfLines(lines)))]).toEqual(lines));
  }

  it('take a fifth of their JSON', () => {
    const words = Array.from({ length: 500 }, (_, n): PackedWord => {
      const [left, top] = [10_000 + (n % 10) * 8000, 10_000 + Math.floor(n / 10) * 1500];
      return [
        'letters',
        [left, top, left + 7000, top, left + 7000, top + 1200, left, top + 1200],
        null,
        n * 8,
        n * 8 + 7,
      ];
    });
    const lines = Array.from({ length: 50 }, (_, n) => lineOf(words.slice(n * 10, n * 10 + 10)));
    expect(atOnce(bytesOfLines(lines)).length * 5).toBeLessThan(JSON.stringify(lines).length);
  });

  it('that end too early are an error, wherever that is', () => {
    const bytes = atOnce(bytesOfLines([lineOf([['word', CORNERS, 500, 0, 4]], { text: 'another', block: 1 })]));
    for (let length = 2; length < bytes.length; length++) {
      expect(() => [...linesOfBytes(bytes.subarray(0, length))], `${length} bytes`).toThrow('too early');
    }
  });

  it('of a form that is not known are an error, and not other positions', () => {
    expect(() => [...linesOfBytes(Buffer.from([2, 0, 0]))]).toThrow('form 2');
  });
});
