import { describe, expect, it } from 'vitest';
import { layoutOf, type PreparedReading } from './prepared-reading.ts';
import { makeRecognition, splitOutput } from './recognition.ts';

const HEADER = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
const ROWS = [
  '1\t1\t0\t0\t0\t0\t0\t0\t640\t480\t-1\t',
  '4\t1\t1\t1\t1\t0\t36\t92\t200\t30\t-1\t',
  '5\t1\t1\t1\t1\t1\t36\t92\t60\t24\t90\tharbour',
  '5\t1\t1\t1\t1\t2\t99\t92\t60\t24\t60\t...',
  '4\t1\t1\t1\t2\t0\t36\t150\t20\t90\t-1\t',
  '5\t1\t1\t1\t2\t1\t36\t150\t20\t90\t0\tab',
];

describe('splitOutput', () => {
  it('tells the table from the text, whichever comes first', () => {
    const text = 'harbour ...\n5 apples\nab\n';
    const table = [HEADER, ...ROWS].join('\n');
    expect(splitOutput(`${table}\n${text}`)).toEqual({ rows: ROWS, text });
    expect(splitOutput(`${text}${table}`).rows).toEqual(ROWS);
  });
});

describe('makeRecognition', () => {
  it('weights the confidence of words by their length', () => {
    expect(makeRecognition('', ROWS).confidence).toBeCloseTo((7 * 0.9 + 3 * 0.6) / 12);
  });

  it('counts letters and digits alone, line by line', () => {
    const { letters, lines } = makeRecognition('', ROWS);
    expect(letters).toBe(9);
    expect(lines).toEqual([
      { box: { left: 36, top: 92, width: 200, height: 30 }, letters: 7, score: 7 * 0.9 ** 3 },
      { box: { left: 36, top: 150, width: 20, height: 90 }, letters: 2, score: 0 },
    ]);
  });

  it('drops the form feed and the blank end of a page, and nothing else of its text', () => {
    expect(makeRecognition(' \n\nfirst  line\n\nlast\n\n\f', []).text).toBe(' \n\nfirst  line\n\nlast');
  });

  it('has no confidence for a page without words', () => {
    const blank = '5\t1\t1\t1\t1\t1\t0\t0\t0\t448\t95.0\t ';
    expect(makeRecognition(' \n', [blank])).toMatchObject({ text: '', confidence: null, letters: 0, score: 0 });
  });
});

describe('where words stand on the picture as it was before it was read', () => {
  const row = (level: number, box: string, text: string) => `${level}\t1\t1\t1\t1\t1\t${box}\t90\t${text}`;
  const boxOf = (prepared: Partial<PreparedReading>, page: string, word: string, picture: [number, number]) => {
    const rows = [row(1, page, ''), row(4, word, ''), row(5, word, 'word')];
    const reading = {
      ...makeRecognition('word', rows),
      turnedBy: 0,
      skew: 0,
      steps: [],
      ...prepared,
    } as PreparedReading;
    const { lines } = layoutOf(reading, { width: picture[0], height: picture[1] });
    return lines[0]?.words[0]?.box.map((value) => Math.round(value * 10) / 10);
  };

  it('is turned back with the page', () => {
    expect(boxOf({ turnedBy: 90 }, '0\t0\t200\t100', '20\t10\t40\t10', [100, 200])?.slice(0, 4)).toEqual([
      10, 180, 10, 140,
    ]);
    expect(boxOf({ turnedBy: 180 }, '0\t0\t100\t200', '20\t10\t40\t10', [100, 200])?.slice(0, 4)).toEqual([
      80, 190, 40, 190,
    ]);
    expect(boxOf({ turnedBy: 270 }, '0\t0\t200\t100', '20\t10\t40\t10', [100, 200])?.slice(0, 4)).toEqual([
      90, 20, 90, 60,
    ]);
  });

  it('is made smaller with a page that was enlarged', () => {
    expect(boxOf({}, '0\t0\t400\t200', '40\t20\t80\t20', [200, 100])).toEqual([20, 10, 60, 10, 60, 20, 20, 20]);
  });

  it('is laid askew again, around the middle of the page', () => {
    // A square of 100 whose lines fell by 45 degrees: straight, it is a sheet of 141.4 around the same middle.
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] =
      boxOf({ skew: 45 }, '0\t0\t1414\t1414', '707\t707\t100\t10', [1000, 1000]) ?? [];
    expect([x1, y1]).toEqual([500, 500]);
    expect(x2 - 500).toBeCloseTo(100 * Math.SQRT1_2, 0);
    expect(y2 - 500).toBeCloseTo(100 * Math.SQRT1_2, 0);
  });
});

/** Left and right ends of the words of a line that are told to be there. */
function endsOf(...words: [left: number, width: number, text: string][]): number[][] {
  const rows = [
    '1\t1\t0\t0\t0\t0\t0\t0\t1000\t365\t-1\t',
    '4\t1\t1\t1\t1\t0\t63\t66\t414\t40\t-1\t',
    ...words.map(([left, width, text], index) => `5\t1\t1\t1\t1\t${index + 1}\t${left}\t66\t${width}\t40\t90\t${text}`),
  ];
  const reading = { ...makeRecognition('', rows), turnedBy: 0, skew: 0, steps: [] } as unknown as PreparedReading; // what places words
  const [line] = layoutOf(reading, { width: 1000, height: 365 }).lines;
  return (line?.words ?? []).map(({ box }) => [Math.round(box[0]), Math.round(box[2])]);
}

it('a word that reaches over those behind it ends where the next one begins', () => {
  expect(endsOf([63, 414, '図書'], [179, 50, '館'], [228, 30, 'か'])).toEqual([
    [63, 179],
    [179, 229],
    [228, 258],
  ]);
});

it('words that touch a little, or run from right to left, stay as they are', () => {
  expect(endsOf([63, 60, 'of'], [120, 50, 'them'])).toEqual([
    [63, 123],
    [120, 170],
  ]);
  expect(endsOf([300, 60, 'אב'], [200, 110, 'גד'])).toEqual([
    [300, 360],
    [200, 310],
  ]);
});
