import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PagePicture } from '../formats/document.ts';
import { normalise, type Wanted } from './normalise.ts';

const WANTED: Wanted = { frame: 1, decoded: false, files: null, maxPixels: 1e6, maxSentPixels: 1e6 };

describe('normalise', () => {
  it.each(['png', 'jpeg'] as const)('hands an ordinary %s through untouched', async (format) => {
    const bytes = await halves().toFormat(format).toBuffer();
    const picture = await normalise(bytes, format, WANTED);
    expect(picture.bytes).toBe(bytes);
    expect(picture).toMatchObject({ mimeType: `image/${format}`, width: 60, height: 40, warnings: [] });
  });

  it.each(['png', 'jpeg'] as const)(
    'lets nothing of the original %s through when it is to be decoded',
    async (format) => {
      const bytes = await halves()
        .withExif({ IFD0: { Copyright: 'hidden words' } })
        .toFormat(format)
        .toBuffer();
      expect(bytes.includes('hidden words')).toBe(true);
      const picture = await normalise(bytes, format, { ...WANTED, decoded: true });
      expect(picture).toMatchObject({ mimeType: 'image/png', width: 60, height: 40 });
      expect(picture.bytes.includes('hidden words')).toBe(false);
      expect(await brightness(picture)).toEqual({ left: 'dark', right: 'bright' });
    },
  );

  it('turns a photograph upright', async () => {
    const bytes = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const picture = await normalise(bytes, 'jpeg', WANTED);
    expect(picture).toMatchObject({ width: 40, height: 60 });
    expect(await pixel(picture, 20, 5)).toBeLessThan(20);
    expect(await pixel(picture, 20, 55)).toBeGreaterThan(235);
  });

  it('puts transparent pictures on white', async () => {
    const clear = sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const picture = await normalise(await clear.png().toBuffer(), 'png', WANTED);
    expect(await pixel(picture, 30, 20)).toBe(255);
    expect((await sharp(picture.bytes).metadata()).hasAlpha).toBe(false);
  });

  it('reduces 16 bits to 8, and print colours to screen colours', async () => {
    const deep = await normalise(await halves().toColourspace('rgb16').png().toBuffer(), 'png', WANTED);
    const print = await normalise(await halves().toColourspace('cmyk').jpeg().toBuffer(), 'jpeg', WANTED);
    for (const picture of [deep, print]) {
      expect(await sharp(picture.bytes).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb' });
      expect(await brightness(picture)).toEqual({ left: 'dark', right: 'bright' });
    }
  });

  it('keeps grey pictures grey', async () => {
    const picture = await normalise(await halves().toColourspace('grey16').png().toBuffer(), 'png', WANTED);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ depth: 'uchar', channels: 1 });
  });

  it.each(['webp', 'gif', 'tiff'] as const)('makes a PNG or JPEG of %s', async (format) => {
    const picture = await normalise(await halves().toFormat(format).toBuffer(), format, WANTED);
    expect(picture).toMatchObject({ mimeType: format === 'webp' ? 'image/jpeg' : 'image/png', width: 60, height: 40 });
    expect(await brightness(picture)).toEqual({ left: 'dark', right: 'bright' });
  });

  it('reads bitmaps, those with rows from the top too', async () => {
    for (const fromTop of [false, true]) {
      const picture = await normalise(bitmap({ fromTop }), 'bmp', WANTED);
      expect(picture).toMatchObject({ mimeType: 'image/png', width: 4, height: 2, dpi: 300 });
      expect(await pixel(picture, 0, 0)).toBeLessThan(20);
      expect(await pixel(picture, 0, 1)).toBeGreaterThan(235);
    }
  });

  it('takes the first frame of an animation', async () => {
    const frames = await Promise.all([halves('#000000'), halves('#ffffff')].map((frame) => frame.png().toBuffer()));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const picture = await normalise(gif, 'gif', WANTED);
    expect(picture).toMatchObject({ width: 60, height: 40 });
    expect(await pixel(picture, 5, 20)).toBeLessThan(20);
  });

  it('sends a photograph as JPEG when it would be large as PNG', async () => {
    const size = { width: 1300, height: 1300 };
    const noise = randomBytes(size.width * size.height * 3);
    const tiff = await sharp(noise, { raw: { ...size, channels: 3 } })
      .tiff({ compression: 'none' })
      .toBuffer();
    const wanted = { ...WANTED, maxPixels: 2e6, maxSentPixels: 2e6 };
    expect(await normalise(tiff, 'tiff', wanted)).toMatchObject({ mimeType: 'image/jpeg', ...size });
  });

  it('scales down what is larger than what is sent, and says so', async () => {
    const picture = await normalise(await halves().png().toBuffer(), 'png', { ...WANTED, maxSentPixels: 600 });
    expect(picture).toMatchObject({ width: 30, height: 20 });
    expect(picture.warnings).toEqual(['The picture of 60 × 40 pixels was scaled down to 30 × 20.']);
  });

  it('refuses by the header what has too many pixels to decode', async () => {
    const bomb = await halves().png().toBuffer();
    await expect(normalise(bomb, 'png', { ...WANTED, maxPixels: 2399 })).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringContaining('60 × 40'),
    });
  });

  it('refuses pictures whose pixels are broken', async () => {
    const whole = await halves().tiff({ compression: 'none' }).toBuffer();
    await expect(normalise(whole.subarray(0, 900), 'tiff', WANTED)).rejects.toMatchObject({
      code: 'unprocessable_entity',
    });
    await expect(normalise(bitmap({ fromTop: false }).subarray(0, 60), 'bmp', WANTED)).rejects.toMatchObject({
      code: 'unprocessable_entity',
    });
  });
});

/** The left half dark, the right half white. */
function halves(left = '#000000') {
  const half = { create: { width: 30, height: 40, channels: 3 as const, background: left } };
  return sharp({ create: { width: 60, height: 40, channels: 3, background: '#ffffff' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .removeAlpha();
}

async function pixel(picture: PagePicture, x: number, y: number): Promise<number> {
  const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true });
  return data[(y * info.width + x) * info.channels] ?? -1;
}

async function brightness(picture: PagePicture) {
  const side = async (x: number) => ((await pixel(picture, x, 20)) < 128 ? 'dark' : 'bright');
  return { left: await side(5), right: await side(55) };
}

/** 4 × 2 pixels, the upper row black, the lower white, 300 dots an inch. */
function bitmap({ fromTop }: { fromTop: boolean }): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + 24, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(4, 18);
  header.writeInt32LE(fromTop ? -2 : 2, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  header.writeInt32LE(11811, 38);
  const [black, white] = [Buffer.alloc(12, 0), Buffer.alloc(12, 255)];
  return Buffer.concat([header, ...(fromTop ? [black, white] : [white, black])]);
}
