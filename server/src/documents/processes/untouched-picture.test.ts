import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { type PictureFormat, readHeader } from '../pictures/read-header.ts';
import { decodingOf } from './untouched-picture.ts';

const [WIDTH, HEIGHT] = [400, 300];
/** Where a PNG says what its pixels are, and which of them stand in a table. */
const COLOUR_TYPE = 25;
const PALETTE = 3;

/** Of few colours, so that a pixel is a number of some bits in the file, and colours stand in a table. */
function drawn(channels: 3 | 4): Sharp {
  return sharp({
    create: { width: WIDTH, height: HEIGHT, channels, background: { r: 200, g: 30, b: 30, alpha: 0.5 } },
  });
}

const PALETTES: Readonly<Record<string, { format: PictureFormat; bytes: () => Promise<Buffer> }>> = {
  PNG: { format: 'png', bytes: () => drawn(3).png({ palette: true, colours: 4 }).toBuffer() },
  'PNG with transparency': { format: 'png', bytes: () => drawn(4).png({ palette: true, colours: 4 }).toBuffer() },
  GIF: { format: 'gif', bytes: () => drawn(3).gif({ colours: 4 }).toBuffer() },
  'GIF with transparency': { format: 'gif', bytes: () => drawn(4).gif({ colours: 4 }).toBuffer() },
};

describe('what counts of a palette picture is what it decodes to, not its file', () => {
  it.each(Object.keys(PALETTES))('%s', async (name) => {
    const { format, bytes } = PALETTES[name] ?? expect.fail();
    const file = await bytes();
    if (format === 'png') expect(file[COLOUR_TYPE]).toBe(PALETTE); // a GIF has no other pixels
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    const { decodedBytes } = decodingOf(await readHeader(file, { format, frame: 1, maxPixels: 1e6 }));
    expect(decodedBytes).toBeGreaterThanOrEqual(data.length);
    expect(decodedBytes).toBeGreaterThan(100 * file.length);
  });
});
