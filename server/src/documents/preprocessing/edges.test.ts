import sharp from 'sharp';
import { expect, it } from 'vitest';
import { edgeSteepness } from './edges.ts';
import { greyPicture } from './grey-picture.ts';

const stripes = Array.from({ length: 20 }, (_, i) => `<rect x="${i * 20.5}" width="7" height="200"/>`).join('');
const drawing = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="410" height="200" fill="#333"><rect width="100%" height="100%" fill="#ddd"/>${stripes}</svg>`,
);

async function steepness(blur: number): Promise<number> {
  const drawn = blur > 0 ? sharp(drawing).blur(blur) : sharp(drawing);
  return edgeSteepness(await greyPicture(await drawn.png().toBuffer(), 1000));
}

it('is large for print, also as a scanner sees it, and small for what is out of focus', async () => {
  expect(await steepness(0)).toBeGreaterThan(0.7);
  expect(await steepness(0.9)).toBeGreaterThan(0.4);
  expect(await steepness(3)).toBeLessThan(0.25);
});

it('is nothing where there is no edge', () => {
  expect(edgeSteepness({ pixels: new Uint8Array(100).fill(255), width: 10, height: 10 })).toBe(0);
});
