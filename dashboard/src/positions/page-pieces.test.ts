import { expect, it } from 'vitest';
import { hasConfidence, piecesOf, writingOf } from './page-pieces.ts';

it('takes the words of a line, or the line where its engine tells no words', () => {
  const polygon = [0, 0, 1, 0, 1, 1, 0, 1];
  const word = { text: 'fox', polygon, confidence: 0.9 };
  expect(
    piecesOf([
      { text: 'the fox', polygon, words: [word] },
      { text: 'jumps', polygon },
    ]),
  ).toEqual([
    [{ text: 'fox', polygon, confidence: 0.9, isSpaced: true }],
    [{ text: 'jumps', polygon, confidence: undefined, isSpaced: true }],
  ]);
});

it('knows whether an engine says how sure it is of anything', () => {
  const polygon = [0, 0, 1, 0, 1, 1, 0, 1];
  const fromTextLayer = { text: 'the fox', polygon, words: [{ text: 'the', polygon }] };
  expect(hasConfidence([fromTextLayer])).toBe(false);
  expect(hasConfidence(undefined)).toBe(false);
  expect(hasConfidence([fromTextLayer, { text: 'jumps', polygon, confidence: 0 }])).toBe(true);
});

it('knows where the line has no blank between two words', () => {
  const polygon = [0, 0, 1, 0, 1, 1, 0, 1];
  const line = {
    text: '図書館から 本',
    polygon,
    words: ['図書', '館', 'から', '本'].map((text) => ({ text, polygon })),
  };
  expect(piecesOf([line])[0]?.map(({ isSpaced }) => isSpaced)).toEqual([false, false, true, true]);
});

it('writes a piece into its polygon, in the direction in which it is read', () => {
  const across = { polygon: [0.25, 0.125, 0.5, 0.125, 0.5, 0.25, 0.25, 0.25] };
  expect(writingOf(across, [1000, 800])).toEqual({ x: 250, y: 100, degrees: 0, width: 250, height: 100 });
  const up = { polygon: [0.25, 0.5, 0.25, 0.125, 0.5, 0.125, 0.5, 0.5] };
  expect(writingOf(up, [1000, 800])).toEqual({ x: 250, y: 400, degrees: -90, width: 300, height: 250 });
});
