import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PagePicture } from '../formats/document.ts';
import { isBlank } from './blank.ts';

const A4 = { width: 1240, height: 1754 };

describe('isBlank', () => {
  it.each(['#ffffff', '#000000', '#f3ead2'])('takes an even page of %s as blank', async (background) => {
    expect(await isBlank(await page({ background }))).toBe(true);
  });

  it('takes the noise of a scanner and some specks of dust as blank', async () => {
    expect(await isBlank(await page({ noise: 8, marks: specks(40) }))).toBe(true);
  });

  it('takes the shadow of the scanner at an edge as blank', async () => {
    expect(await isBlank(await page({ marks: '<rect x="0" y="0" width="9" height="1754" fill="#333"/>' }))).toBe(true);
  });

  it('takes uneven light as blank', async () => {
    const marks =
      '<defs><linearGradient id="light"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#999"/></linearGradient></defs><rect width="1240" height="1754" fill="url(#light)"/>';
    expect(await isBlank(await page({ marks, noise: 6 }))).toBe(true);
  });

  it.each([
    ['one small word', word(12, '#000')],
    ['one small word in light grey', word(20, '#aaa')],
    ['a page number at the foot', `<g transform="translate(0, 900)">${word(16, '#222')}</g>`],
    [
      'a signature in thin blue',
      '<path d="M300 900 q40 -80 80 0 t80 0 t80 0" stroke="#23c" stroke-width="3" fill="none"/>',
    ],
  ])('does not take %s as blank', async (_, marks) => {
    expect(await isBlank(await page({ marks, noise: 6 }))).toBe(false);
  });

  it('does not take white words on black as blank', async () => {
    expect(await isBlank(await page({ background: '#000000', marks: word(16, '#fff') }))).toBe(false);
  });

  it('judges a broken picture as far as it can be decoded', async () => {
    const whole = await page({ marks: word(40, '#000') });
    const jpeg = await sharp(whole.bytes).jpeg().toBuffer();
    jpeg.fill(0, Math.floor(jpeg.length / 2), jpeg.length - 2);
    expect(await isBlank({ ...whole, bytes: jpeg, mimeType: 'image/jpeg' })).toBe(false);
  });

  it('sees a word on a very large page, and one that fills a small picture', async () => {
    expect(await isBlank(await page({ marks: word(40, '#000'), size: { width: 4960, height: 7016 } }))).toBe(false);
    expect(
      await isBlank(await page({ marks: word(24, '#000', { x: 2, y: 26 }), size: { width: 80, height: 30 } })),
    ).toBe(false);
  });
});

/** "Hi" drawn with strokes: letters of an own making look the same on every machine. */
function word(height: number, colour: string, { x, y } = { x: 400, y: 700 }): string {
  const path = `M0 0 V${-height} M0 ${-height / 2} H${height / 2} M${height / 2} 0 V${-height} M${height} 0 V${-height * 0.6}`;
  return `<path transform="translate(${x}, ${y})" d="${path}" stroke="${colour}" stroke-width="${height / 6}" fill="none"/>`;
}

function specks(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    return `<rect x="${(index * 131) % 1200}" y="${(index * 277) % 1700}" width="2" height="2" fill="#555"/>`;
  }).join('');
}

async function page({ background = '#ffffff', marks = '', noise = 0, size = A4 }): Promise<PagePicture> {
  const { width, height } = size;
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks}</svg>`);
  const { data } = await sharp({ create: { width, height, channels: 3, background } })
    .composite([{ input: svg }])
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  let seed = 1;
  for (let index = 0; noise > 0 && index < data.length; index++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    data[index] = Math.max(0, Math.min(255, (data[index] ?? 0) + ((seed >> 12) % (2 * noise + 1)) - noise));
  }
  const bytes = await sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
  return { bytes, mimeType: 'image/png', width, height, dpi: 150, warnings: [] };
}
