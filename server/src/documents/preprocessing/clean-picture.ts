import { sharp } from '../pictures/sharp.ts';
import { localThreshold } from './local-threshold.ts';

/** Side of the median filter: single specks go, strokes stay. */
const SPECK_SIDE = 3;

/** Turns a picture into black and white, without specks and shadows. `radius` is about a letter's height. */
export async function cleanPicture(bytes: Buffer, radius: number): Promise<Buffer> {
  const { data, info } = await sharp(bytes)
    .toColourspace('b-w')
    .median(SPECK_SIDE)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = localThreshold({ pixels: data, width, height }, radius);
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
