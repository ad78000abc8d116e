import { describe, expect, it } from 'vitest';
import { GlyphCodes } from './glyph-codes.ts';
import type { OutputLine, OutputWord, PageFrame } from './output-page.ts';
import { textLayer } from './text-layer.ts';

const PAGE: PageFrame = { left: 0, bottom: 0, right: 100, top: 200, rotate: 0 };

function box(left: number, top: number, right: number, bottom: number): number[] {
  return [left, top, right, top, right, bottom, left, bottom];
}

function word(text: string, left: number, right: number): OutputWord {
  return { text, polygon: box(left, 0.1, right, 0.15) };
}

function lineOf(words: readonly OutputWord[], text = words.map((each) => each.text).join(' ')): OutputLine {
  const ends = words.flatMap(({ polygon }) => [polygon[0] ?? 0, polygon[2] ?? 0]);
  return { text, words, polygon: box(Math.min(...ends), 0.1, Math.max(...ends), 0.15) };
}

function layer(lines: readonly OutputLine[], frame: PageFrame = PAGE): string[] {
  return textLayer(lines, frame, { font: 'F', codes: new GlyphCodes() }).split('\n');
}

/** The matrix that the n-th line of a layer is written with. */
function matrix(lines: readonly OutputLine[], frame: PageFrame = PAGE, index = 0): number[] {
  const found = layer(lines, frame).filter((operator) => operator.endsWith('Tm'))[index];
  return (found ?? '').split(' ').slice(0, 6).map(Number);
}

it('has no gap between words without a blank, which readers would take for one', () => {
  const words = [word('日本', 0.1, 0.3), word('語', 0.35, 0.45), word('の', 0.4, 0.5), word('文', 0.7, 0.8)];
  const operators = layer([lineOf(words, '日本語の文')]).filter((operator) => operator.endsWith('Tj'));
  expect(operators.map((operator) => operator.split(' ')[0])).toEqual(['250', '100', '200', '200']);
});

const END = ['ET', 'Q', ''];

it('stretches each word to its width, and the blank behind it up to the next word', () => {
  const operators = layer([lineOf([word('ab', 0.1, 0.3), word('cde', 0.4, 0.7)])]);
  // 10 points high: a glyph is 5 points wide. 20 points for two, 10 for the blank, 30 for three.
  expect(operators).toEqual([
    'q',
    'BT',
    '3 Tr',
    '/F 10 Tf',
    '1 0 0 1 10 170 Tm',
    '200 Tz <00610062> Tj',
    '200 Tz <0020> Tj',
    '30 0 Td',
    '200 Tz <006300640065> Tj',
    'ET',
    'Q',
    '',
  ]);
});

it('writes nothing where there is nothing', () => {
  expect(layer([])).toEqual(['']);
  expect(layer([{ text: ' ', polygon: box(0, 0, 1, 1) }])).toEqual(['']);
});

it('writes no blank where the line has none', () => {
  const words = [word('日本', 0.1, 0.3), word('語', 0.3, 0.4)];
  expect(layer([lineOf(words, '日本語')]).join()).not.toContain('<0020>');
  expect(layer([lineOf(words, '日本 語')]).join()).toContain('<0020>');
});

it('keeps a blank between words that touch or overlap, wide enough for readers that go by gaps', () => {
  // 10 points high: what is narrower than 1.5 points is no blank for poppler, whatever is written there.
  const touching = layer([lineOf([word('ab', 0.1, 0.3), word('c', 0.3, 0.4)])]);
  expect(touching.slice(5)).toEqual(['180 Tz <00610062> Tj', '40 Tz <0020> Tj', '20 0 Td', '200 Tz <0063> Tj', ...END]);
  const overlapping = layer([lineOf([word('a', 0.1, 0.3), word('b', 0.25, 0.4)])]);
  expect(overlapping.slice(5, 7)).toEqual(['260 Tz <0061> Tj', '40 Tz <0020> Tj']);
  const behind = layer([lineOf([word('a', 0.1, 0.3), word('b', 0.08, 0.4)])]);
  expect(behind.slice(6, 8)).toEqual(['400 Tz <0061> Tj', '10 Tz <0020> Tj']);
});

it('stretches the whole text over a line whose words have no places', () => {
  const operators = layer([{ text: 'a b', polygon: box(0.1, 0.1, 0.4, 0.15) }]);
  expect(operators).toContain('200 Tz <006100200062> Tj');
});

it('gives each row of a paragraph its share of the height', () => {
  const block = { text: 'one\n\ntwo\n', polygon: box(0.1, 0.1, 0.5, 0.2) };
  expect(matrix([block], PAGE, 0).slice(4)).toEqual([10, 170]);
  expect(matrix([block], PAGE, 1).slice(4)).toEqual([10, 160]);
});

describe('places', () => {
  const upright = [lineOf([word('a', 0.1, 0.3)])];

  // The corner at 0.1 and 0.15 of the page as it is shown; turned pages are shown 200 points wide and 100 high.
  it.each([
    [0, [1, 0, 0, 1, 10, 170]],
    [90, [0, 1, -1, 0, 15, 20]],
    [180, [-1, 0, 0, -1, 90, 30]],
    [270, [0, -1, 1, 0, 85, 180]],
  ] as const)('a line of a page turned by %i', (rotate, expected) => {
    expect(matrix(upright, { ...PAGE, rotate })).toEqual(expected);
  });

  it('a line of a page whose visible part is not at the origin', () => {
    const frame = { left: 50, bottom: -30, right: 150, top: 170, rotate: 0 } as const;
    expect(matrix(upright, frame)).toEqual([1, 0, 0, 1, 60, 140]);
  });

  it('a line that runs up, from the corner where its text begins', () => {
    // The first letter is at the bottom, its top is to the left.
    const up = { text: 'a', polygon: [0.1, 0.5, 0.1, 0.2, 0.2, 0.2, 0.2, 0.5] };
    expect(matrix([up])).toEqual([0, 1, -1, 0, 20, 100]);
  });

  it('a line at any angle', () => {
    const square = { left: 0, bottom: 0, right: 100, top: 100, rotate: 0 } as const;
    const sloping = { text: 'a', polygon: [0.1, 0.1, 0.5, 0.4, 0.44, 0.48, 0.04, 0.18] };
    expect(matrix([sloping], square)).toEqual([0.8, -0.6, 0.6, 0.8, 4, 82]);
    expect(layer([sloping], square)).toContain('/F 10 Tf');
  });

  it('a line that slopes a little, each word level at its own height', () => {
    const square = { left: 0, bottom: 0, right: 100, top: 100, rotate: 0 } as const;
    // It falls by 1 in 20: the middles of its words are 10 and 40 points along it, 0.5 and 2 points down.
    const falling = (left: number, right: number) =>
      [left, left / 20 + 0.1, right, right / 20 + 0.1, right, right / 20 + 0.2, left, left / 20 + 0.2] as const;
    const words = [
      { text: 'ab', polygon: falling(0, 0.2) },
      { text: 'cd', polygon: falling(0.3, 0.5) },
    ];
    const line = { text: 'ab cd', words, polygon: falling(0, 0.5) };
    expect(matrix([line], square)).toEqual([1, 0, 0, 1, 0, 80]);
    expect(layer([line], square).filter((operator) => operator.endsWith('Td'))).toEqual(['0 -0.5 Td', '30 -1.5 Td']);
    expect(matrix([{ ...line, words: [] }], square).slice(0, 2)).toEqual([0.99875, -0.04994]);
  });

  it('a text from right to left, in the order in which it is read', () => {
    const words = [word('مرحبا', 0.6, 0.9), word('بكم', 0.3, 0.5)];
    const operators = layer([lineOf(words)]);
    expect(matrix([lineOf(words)])).toEqual([-1, 0, 0, 1, 90, 170]);
    expect(operators).toContain('40 0 Td');
    expect(operators.findIndex((each) => each.includes('0645'))).toBeLessThan(
      operators.findIndex((each) => each.includes('0628064306')),
    );
  });

  it('a line without any extent', () => {
    const operators = layer([{ text: 'a', polygon: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5] }]);
    expect(operators).toContain('/F 1 Tf');
    expect(operators).toContain('1 0 0 1 50 100 Tm');
  });
});
