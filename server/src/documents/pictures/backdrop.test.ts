import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { normalise, type Wanted } from './normalise.ts';

const WANTED: Wanted = { frame: 1, decoded: true, files: null, maxPixels: 1e6, maxSentPixels: 1e6 };

/** Words on nothing, unless something is drawn below them. */
function words(colour: string, below = ''): Promise<Buffer> {
  const text = ['Delivered on Friday', 'and paid in full']
    .map((line, at) => `<text x="40" y="${90 + at * 60}" font-size="40">${line}</text>`)
    .join('');
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="220">${below}<g fill="${colour}">${text}</g></svg>`;
  return sharp(Buffer.from(page)).png().toBuffer();
}

async function laidOn(bytes: Buffer, more: Partial<Wanted> = {}) {
  const { bytes: made, steps } = await normalise(bytes, 'png', { ...WANTED, ...more });
  const { data } = await sharp(made).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { backdrop: data[0], spread: Math.max(...data) - Math.min(...data), steps };
}

describe('the backdrop of a transparent picture', () => {
  it.each(['white', '#f2f2ee', 'yellow'])('is black under %s letters on nothing, and that is said', async (colour) => {
    const { backdrop, spread, steps } = await laidOn(await words(colour));
    expect(backdrop).toBe(0);
    expect(spread).toBeGreaterThan(180);
    expect(steps).toEqual(['flattened']);
  });

  it.each([
    ['dark letters', words('black')],
    ['letters of a middle grey', words('#808080')],
    [
      'a white sheet with dark letters',
      words('black', '<rect x="20" y="20" width="460" height="180" rx="20" fill="white"/>'),
    ],
    ['nothing at all', words('none')],
  ])('is white under %s', async (_name, picture) => {
    const { backdrop, steps } = await laidOn(await picture);
    expect(backdrop).toBe(255);
    expect(steps).toBeUndefined();
  });

  it('is white under everything where preprocessing is off', async () => {
    expect(await laidOn(await words('white'), { preprocess: false })).toEqual({
      backdrop: 255,
      spread: 0,
      steps: undefined,
    });
  });
});
