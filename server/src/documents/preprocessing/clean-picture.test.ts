import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../../test/house/seeded-random.ts';
import { cleanPicture } from './clean-picture.ts';
import type { GreyPicture } from './grey-picture.ts';
import { localThreshold } from './local-threshold.ts';

const RADIUS = 15;

async function page(): Promise<GreyPicture> {
  const bytes = await readFile(new URL('../../../../test/fixtures/two-columns.png', import.meta.url));
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The share of pixels that two pictures differ in, told as ink or paper. */
function difference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, grey, at) => sum + Number(grey < 128 !== (other[at] ?? 0) < 128), 0) / one.length;
}

describe('localThreshold', () => {
  it('finds the same ink under a shadow that is darker than the ink elsewhere', async () => {
    const clean = await page();
    const shadowed = clean.pixels.map((grey, at) => (grey * (1 - (0.85 * (at % clean.width)) / clean.width)) | 0);
    expect(difference(shadowed, clean.pixels)).toBeGreaterThan(0.2);
    expect(difference(localThreshold({ ...clean, pixels: shadowed }, RADIUS), clean.pixels)).toBeLessThan(0.01);
  });

  it('makes dark ink of light letters on a dark page', async () => {
    const clean = await page();
    const negative = clean.pixels.map((grey) => 255 - grey);
    expect(difference(localThreshold({ ...clean, pixels: negative }, RADIUS), clean.pixels)).toBeLessThan(0.01);
  });

  it('is the formula, worked out pixel by pixel', () => {
    const random = new SeededRandom(9);
    const [width, height, radius] = [23, 17, 3];
    const pixels = Uint8Array.from({ length: width * height }, () => 100 + random.below(156));
    const made = localThreshold({ pixels, width, height }, radius);
    for (let at = 0; at < pixels.length; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const near = pixels.filter(
        (_, i) => Math.abs((i % width) - x) <= radius && Math.abs(Math.floor(i / width) - y) <= radius,
      );
      const mean = near.reduce((sum, grey) => sum + grey, 0) / near.length;
      const variance = near.reduce((sum, grey) => sum + (grey - mean) ** 2, 0) / near.length;
      const limit = mean * (1 + 0.2 * (Math.sqrt(variance) / 128 - 1));
      expect(made[at], `pixel ${x}, ${y}`).toBe((pixels[at] ?? 0) <= limit ? 0 : 255);
    }
  });

  it.each([
    [1, 1],
    [1, 40],
    [40, 1],
  ])('takes a picture of %d by %d pixels', (width, height) => {
    const pixels = new Uint8Array(width * height).fill(200);
    expect(localThreshold({ pixels, width, height }, RADIUS)).toHaveLength(width * height);
  });
});

describe('cleanPicture', () => {
  it('takes specks away and leaves the letters', async () => {
    const clean = await page();
    const random = new SeededRandom(4);
    const specked = clean.pixels.map((grey) => (random.below(1000) < 60 ? random.pick([0, 255]) : grey));
    const { width, height } = clean;
    const bytes = await sharp(specked, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    const { data } = await sharp(await cleanPicture(bytes, RADIUS))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(difference(specked, clean.pixels)).toBeGreaterThan(0.025);
    expect(difference(data, clean.pixels)).toBeLessThan(0.02);
  });
});
