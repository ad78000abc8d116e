import { expect, it } from 'vitest';
import { layoutOf, type PreparedReading } from '../prepared-reading.ts';
import { makeRecognition } from '../recognition.ts';

type Word = readonly [left: number, top: number, width: number, height: number, text: string];

/** The boxes of words, each in a line as they are given. */
function boxesOf(...lines: Word[][]): number[][][] {
  const row = (level: number, word: number, [left, top, width, height, text]: Word) =>
    `${level}\t1\t1\t1\t1\t${word}\t${left}\t${top}\t${width}\t${height}\t90\t${text}`;
  const rows = lines.flatMap((words) => [
    row(4, 0, [0, 0, 1000, 1000, '']), // where the line stands is not looked at
    ...words.map((word, index) => row(5, index + 1, word)),
  ]);
  const page = '1\t1\t0\t0\t0\t0\t0\t0\t1000\t1000\t-1\t';
  const reading = {
    ...makeRecognition('', [page, ...rows]),
    turnedBy: 0,
    skew: 0,
    steps: [],
  } as unknown as PreparedReading; // what places words
  return layoutOf(reading, { width: 1000, height: 1000 }).lines.map(({ words }) => words.map(({ box }) => [...box]));
}

it('words of a line that runs down begin at their upper right corner, and are not cut', () => {
  const [line] = boxesOf([
    [500, 100, 30, 80, 'Track'],
    [505, 200, 30, 120, 'Sequence'],
  ]);
  expect(line).toEqual([
    [530, 100, 530, 180, 500, 180, 500, 100],
    [535, 200, 535, 320, 505, 320, 505, 200],
  ]);
});

it('words of a line that runs up begin at their lower left corner, single words among them, too', () => {
  const [line, single, short] = boxesOf(
    [
      [500, 800, 30, 80, 'Track'],
      [500, 600, 30, 120, 'Sequence'],
    ],
    [[560, 700, 30, 150, 'Recorder']],
    [[620, 700, 10, 30, 'I']],
  );
  expect(line?.[0]).toEqual([500, 880, 500, 800, 530, 800, 530, 880]);
  expect(single?.[0]).toEqual([560, 850, 560, 700, 590, 700, 590, 850]);
  expect(short?.[0]?.slice(0, 4)).toEqual([620, 700, 630, 700]);
});

it('letters of columns stand upright', () => {
  const [line] = boxesOf([
    [500, 100, 30, 80, '図書'],
    [500, 200, 30, 40, '館'],
  ]);
  expect(line?.map((box) => box.slice(0, 4))).toEqual([
    [500, 100, 530, 100],
    [500, 200, 530, 200],
  ]);
});
