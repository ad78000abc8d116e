import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnce } from '../../platform/turns/slices.ts';
import { packFoundWords } from './pack-found-words.ts';
import { packPage } from './pack-page.ts';
import { type FoundWords, placedLines } from './placed-words.ts';

const PAGE = { width: 595, height: 842, rotation: 0 } as const;

const word = fc.stringMatching(/^[a-cé日-]{1,3}$/);
const quarters = fc.constantFrom(0, 1, 2, 3);
const place = fc.tuple(fc.double({ min: 0, max: 0.9, noNaN: true }), fc.double({ min: 0, max: 0.9, noNaN: true }));
const box = fc.tuple(place, quarters).map(([[x, y], from]) =>
  [0, 1, 2, 3].flatMap((corner) => {
    const at = (corner + from) % 4;
    return [at === 1 || at === 2 ? x + 0.05 : x, at < 2 ? y : y + 0.02];
  }),
);
const placed = fc.tuple(word, box);
const lines = fc.array(fc.tuple(box, fc.array(placed, { minLength: 1, maxLength: 5 })), { maxLength: 6 });

function foundOf(all: readonly (readonly [number[], readonly (readonly [string, number[]])[]])[]): FoundWords {
  return {
    texts: all.flatMap(([, words]) => words.map(([text]) => text)).join('\n'),
    boxes: all.flatMap(([, words]) => words.flatMap(([, each]) => each)),
    lineBoxes: all.flatMap(([each]) => each),
    lineLengths: all.map(([, words]) => words.length),
  };
}

const between = fc.constantFrom(' ', '\n', '  ', ' other ', '', '𝔘 ');

it('packs what lines as objects are packed as, wherever it does it', () => {
  let done = 0;
  const check = (all: Parameters<typeof foundOf>[0], gaps: readonly string[]) => {
    const found = foundOf(all);
    const text = found.texts.split('\n').reduce((sum, each, index) => sum + (gaps[index] ?? ' ') + each, '');
    const expected = atOnce(packPage(placedLines(found), { page: PAGE, text, isTextLayer: true }));
    const packed = packFoundWords(found, { page: PAGE, text });
    if (!packed) return;
    done++;
    expect(packed.count).toBe(found.boxes.length / 8);
    expect(packed.page?.textAngle).toBe(expected?.textAngle);
    expect(packed.page?.bytes).toEqual(expected?.bytes);
  };
  fc.assert(fc.property(lines, fc.array(between, { maxLength: 30 }), check), { numRuns: 500 });
  expect(done).toBeGreaterThan(50);
});

const [LEFT, RIGHT] = [
  [0.1, 0.1, 0.2, 0.1, 0.2, 0.2, 0.1, 0.2],
  [0.3, 0.1, 0.4, 0.1, 0.4, 0.2, 0.3, 0.2],
];

it.each([
  ['stands beyond the page', foundOf([[LEFT, [['a', LEFT.map((value) => value + 1)]]]]), 'a'],
  ['is none that can be stored', foundOf([[LEFT, [['\ud800', LEFT]]]]), '\ufffd'],
  [
    'follows another without a blank',
    foundOf([
      [
        LEFT,
        [
          ['日', LEFT],
          ['本', RIGHT],
        ],
      ],
    ]),
    '日本',
  ],
])('leaves a page to those objects where a word %s', (_, found, text) => {
  expect(packFoundWords(found, { page: PAGE, text })).toBeNull();
});
