import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PagePicture } from '../formats/document.ts';
import { fitPicture } from './fit-picture.ts';

const client = { signal: new AbortController().signal };
const UNBOUNDED = { maxBytes: Number.POSITIVE_INFINITY, maxSide: Number.POSITIVE_INFINITY };

/** Noise: what compresses worst. */
async function noisy(width: number, height: number): Promise<PagePicture> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#fff', noise } })
    .png()
    .toBuffer();
  return { bytes, mimeType: 'image/png', width, height, dpi: 300, warnings: ['before'] };
}

describe('fitPicture', () => {
  it('leaves a picture alone that fits', async () => {
    const picture = await noisy(40, 30);
    expect(await fitPicture(picture, { maxBytes: picture.bytes.length, maxSide: 40 }, client)).toBe(picture);
  });

  it('makes a JPEG of it where that is enough, in its own size', async () => {
    const picture = await noisy(400, 300);
    const fitted = await fitPicture(picture, { ...UNBOUNDED, maxBytes: picture.bytes.length - 1 }, client);
    expect(fitted).toMatchObject({ mimeType: 'image/jpeg', width: 400, height: 300, dpi: 300, warnings: ['before'] });
  });

  it('makes it smaller until its bytes fit, and says so', async () => {
    const maxBytes = 20_000;
    const fitted = await fitPicture(await noisy(800, 600), { ...UNBOUNDED, maxBytes }, client);
    const { width, height } = await sharp(fitted.bytes).metadata();
    expect(fitted.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(fitted).toMatchObject({ width, height });
    expect(fitted.warnings).toEqual([
      'before',
      `The picture was scaled down to ${width} × ${height} pixels to fit the engine’s limits.`,
    ]);
  });

  it('keeps the longer side within the limit, and tells the resolution that is left', async () => {
    const fitted = await fitPicture(await noisy(100, 400), { ...UNBOUNDED, maxSide: 200 }, client);
    expect(fitted).toMatchObject({ width: 50, height: 200, dpi: 150 });
  });

  it('takes a picture that cannot be decoded for the document’s fault', async () => {
    const picture = { ...(await noisy(40, 30)), bytes: Buffer.from('no picture') };
    await expect(fitPicture(picture, { ...UNBOUNDED, maxBytes: 1 }, client)).rejects.toMatchObject({
      code: 'unprocessable_entity',
    });
  });
});
