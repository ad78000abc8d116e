import { corruptPicture } from '../formats/unreadable.ts';
import { believableDpi, type PictureHeader } from './picture-header.ts';

const OLD_HEADER_BYTES = 12;
const METRES_PER_INCH = 0.0254;

/** Reads the header of a Windows bitmap. Throws `unprocessable_entity` where it makes no sense or pixels are missing. */
export function readBmp(bytes: Buffer): PictureHeader {
  if (bytes.length < 26) throw corruptPicture('cut off');
  const old = bytes.readUInt32LE(14) === OLD_HEADER_BYTES;
  if (!old && bytes.length < 54) throw corruptPicture('cut off');
  const width = old ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  // A negative height says that the rows are stored from the top.
  const height = old ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22));
  const bitsPerPixel = bytes.readUInt16LE(old ? 24 : 28);
  const compressed = !old && [1, 2, 4, 5].includes(bytes.readUInt32LE(30));
  if (width <= 0 || height === 0 || bitsPerPixel === 0) throw corruptPicture('header');

  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const pixelBytes = bytes.length - bytes.readUInt32LE(10);
  if (!compressed && pixelBytes < rowBytes * height) throw corruptPicture('cut off');
  const dpi = old ? null : believableDpi(bytes.readInt32LE(38) * METRES_PER_INCH);
  return { width, height, dpi, orientation: 1, plain: false, bytesPerPixel: 8 };
}

/** Converts a bitmap to PNG: sharp does not read bitmaps. */
export async function pngOfBmp(bytes: Buffer): Promise<Buffer> {
  // Loaded here: only the processes that decode need this native code.
  const { Transformer } = await import('@napi-rs/image');
  try {
    return await new Transformer(bytes).png();
  } catch (error) {
    throw corruptPicture(error);
  }
}
