import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { SeededRandom } from '../test/house/seeded-random.ts';

/** Writes the JSON body of a request with a picture that does not compress, and returns the file's path. */
export async function writeNoiseBody(
  folder: string,
  size: { readonly width: number; readonly height: number },
  name = 'body.json',
): Promise<string> {
  const { width, height } = size;
  const random = new SeededRandom(1);
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => random.below(256)));
  const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const body = { engine: 'instant', input: { type: 'base64', data_base64: png.toString('base64') } };
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(body));
  return file;
}
