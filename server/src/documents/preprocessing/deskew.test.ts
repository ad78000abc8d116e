import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../../test/house/seeded-random.ts';
import { deskew } from './deskew.ts';
import { greyPicture } from './grey-picture.ts';
import { SKEW_SIDE, skewOf } from './skew.ts';

const page = (name: string) => readFile(new URL(`../../../../test/fixtures/${name}`, import.meta.url));
const turned = (bytes: Buffer, degrees: number, paper = 'white') =>
  sharp(bytes).rotate(degrees, { background: paper }).png().toBuffer();
const skew = async (bytes: Buffer) => skewOf(await greyPicture(bytes, SKEW_SIDE));

describe('skewOf', () => {
  it.each(['two-columns.png', 'korean.png', 'arabic.png'])('finds how askew %s lies', async (name) => {
    for (const degrees of [-5, -2.3, -1, 1, 1.7, 3, 5]) {
      expect(Math.abs((await skew(await turned(await page(name), degrees))) - degrees)).toBeLessThanOrEqual(0.3);
    }
  });

  it('finds it of light letters on a dark page, too', async () => {
    const dark = await sharp(await page('two-columns.png'))
      .negate({ alpha: false })
      .png()
      .toBuffer();
    expect(Math.abs((await skew(await turned(dark, 2, 'black'))) - 2)).toBeLessThanOrEqual(0.3);
  });

  it.each(['two-columns.png', 'one-word.png', 'quick-brown-fox.png', 'korean.png', 'japanese.png', 'chinese.png'])(
    'leaves %s as it is, which is straight',
    async (name) => {
      expect(await skew(await page(name))).toBe(0);
    },
  );

  it('finds no lines in noise, in a slope of greys, and in a page on its side', async () => {
    const random = new SeededRandom(3);
    const noise = Buffer.from(Array.from({ length: 400 * 400 }, () => random.below(256)));
    const slope = Buffer.from(Array.from({ length: 400 * 400 }, (_, at) => (at % 400) / 2));
    for (const pixels of [noise, slope]) expect(skewOf({ pixels, width: 400, height: 400 })).toBe(0);
    expect(await skew(await turned(await page('two-columns.png'), 90))).toBe(0);
  });
});

describe('deskew', () => {
  it('makes the lines straight, on the paper’s own grey', async () => {
    const paper = await sharp(await page('two-columns.png'))
      .linear(0.7, 20)
      .png()
      .toBuffer();
    const made = await deskew(await turned(paper, 3, '#c7c7c7'));
    expect(made?.degrees).toBeCloseTo(3, 0);
    const straight = made?.bytes ?? Buffer.alloc(0);
    expect(await skew(straight)).toBe(0);
    const { data } = await sharp(straight).raw().toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(180);
  });

  it('leaves a long strip as it is, whose straight sheet would be many times as large', async () => {
    const [width, height] = [1000, 60];
    const slope = Math.tan((5 * Math.PI) / 180);
    const isInk = (x: number, y: number) => (y - slope * x + width) % 8 < 3 && x % 5 < 3;
    const pixels = Buffer.from(
      Array.from({ length: width * height }, (_, at) => (isInk(at % width, Math.floor(at / width)) ? 0 : 255)),
    );
    expect(skewOf({ pixels, width, height })).toBeCloseTo(5, 0);
    const strip = await sharp(pixels, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    expect(await deskew(strip)).toBeNull();
  });

  it('does nothing to a straight page', async () => {
    expect(await deskew(await page('two-columns.png'))).toBeNull();
  });
});
