import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';

const POLYGON = [0, 0, 1, 0, 1, 1, 0, 1];

function placed(content: string, offset: number, length = content.length) {
  return { content, polygon: POLYGON, span: { offset, length } };
}

function line(content: string, ...spans: { offset: number; length: number }[]) {
  return { content, polygon: POLYGON, spans };
}

function wordsOf(page: { words: unknown[]; lines: unknown[] }): string[][] | undefined {
  const layout = layoutOf({ width: 1, height: 1, ...page }, []);
  return layout?.lines.map(({ words }) => words.map(({ text }) => text));
}

it('gives each line the words in its spans, once and in their order, whatever the order in which they came', () => {
  const words = [placed('three', 8), placed('one', 0), placed('two', 4), placed('four', 14)];
  const overlapping = [
    { offset: 8, length: 10 },
    { offset: 4, length: 9 },
  ];
  expect(wordsOf({ words, lines: [line('one', { offset: 0, length: 3 }), line('two', ...overlapping)] })).toEqual([
    ['one'],
    ['two', 'three', 'four'],
  ]);
});

it('leaves out a word that only begins in the line', () => {
  expect(
    wordsOf({ words: [placed('one', 0), placed('two', 4)], lines: [line('one', { offset: 0, length: 6 })] }),
  ).toEqual([['one']]);
});

it('does not look at every word for every line', () => {
  const words = Array.from({ length: 40_000 }, (_, at) => placed('a', 2 * at));
  const lines = Array.from({ length: 10_000 }, (_, at) => line('a a a a', { offset: 8 * at, length: 7 }));
  const before = performance.now();
  expect(wordsOf({ words, lines })?.every((inside) => inside.length === 4)).toBe(true);
  expect(performance.now() - before).toBeLessThan(1500); // it took five seconds
});
