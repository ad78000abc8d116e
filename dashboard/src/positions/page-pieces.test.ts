import { expect, it } from 'vitest';
import { boxOf, piecesOf } from './page-pieces.ts';

it('takes the words of a line, or the line where its engine tells no words', () => {
  const polygon = [0, 0, 1, 0, 1, 1, 0, 1];
  const word = { text: 'fox', polygon, confidence: 0.9 };
  expect(
    piecesOf([
      { text: 'the fox', polygon, words: [word] },
      { text: 'jumps', polygon },
    ]),
  ).toEqual([[{ text: 'fox', polygon, confidence: 0.9 }], [{ text: 'jumps', polygon, confidence: undefined }]]);
});

it('puts an upright box around a piece that leans', () => {
  const box = boxOf({ polygon: [0.25, 0.125, 0.5, 0.25, 0.5, 0.5, 0.25, 0.375] });
  expect(box).toEqual({ x: 0.25, y: 0.125, width: 0.25, height: 0.375 });
});
