import { expect, it } from 'vitest';
import { quadAround, quadOf } from './page-layout.ts';

it('a line has a box around as many words as a provider may send', () => {
  const words = Array.from({ length: 50_000 }, (_, left) => quadOf({ left, top: 0, width: 1, height: 2 }));
  expect(quadAround(words)).toEqual([0, 0, 50_000, 0, 50_000, 2, 0, 2]);
});
