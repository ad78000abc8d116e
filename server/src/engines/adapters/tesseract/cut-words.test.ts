import { expect, it } from 'vitest';
import { layoutOf, type PreparedReading } from './prepared-reading.ts';
import { makeRecognition } from './recognition.ts';

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
