import { describe, expect, it } from 'vitest';
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
