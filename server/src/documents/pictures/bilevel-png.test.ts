import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bilevelPng } from './bilevel-png.ts';
import { readPng } from './png.ts';

describe('bilevelPng', () => {
  it.each([1, 7, 8, 9, 250])('packs rows of %i pixels so that every decoder gets them back', async (width) => {
    const [height, stride] = [5, width + 3];
    const grey = Uint8Array.from({ length: stride * height }, (_, index) => (index % 3 === 0 ? 255 : 0));
    const png = bilevelPng(grey, { width, height, stride });
    expect(png && readPng(png)).toMatchObject({ width, height, plain: true });
    const decoded = await sharp(png ?? undefined)
      .extractChannel(0)
      .raw()
      .toBuffer();
    const rows = Array.from({ length: height }, (_, y) => [...grey.subarray(y * stride, y * stride + width)]);
    expect([...decoded]).toEqual(rows.flat());
  });

  it('gives up at the first grey pixel', () => {
    expect(bilevelPng(Uint8Array.from([0, 255, 128, 255]), { width: 2, height: 2, stride: 2 })).toBeNull();
  });
});
