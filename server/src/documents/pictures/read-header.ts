import type { Format } from '../formats/document.ts';
import { corruptPicture, unreadable } from '../formats/unreadable.ts';
import { readBmp } from './bmp.ts';
import { readJpeg } from './jpeg.ts';
import { believableDpi, type PictureHeader } from './picture-header.ts';
import { readPng } from './png.ts';
import { sharp } from './sharp.ts';

/** Bytes of a sample by its type; 1 for others. */
const BYTES: Record<string, number> = {
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
};

export type PictureFormat = Exclude<Format, 'pdf'>;

/**
 * Reads the header of a picture (of one frame, counted from 1, where it has several) without decoding a pixel. Throws
 * `unprocessable_entity` where the file is broken or has more than `maxPixels`.
 */
export async function readHeader(
  bytes: Buffer,
  picture: { format: PictureFormat; frame: number; maxPixels: number },
): Promise<PictureHeader & { frames: number }> {
  const header = await headerOf(bytes, picture);
  requireSize(header, picture.maxPixels);
  return header;
}

/** Checks the size of a picture. Throws `unprocessable_entity` for one of more pixels. */
export function requireSize({ width, height }: PictureHeader, maxPixels: number): void {
  if (width * height <= maxPixels) return;
  const [has, limit] = [width * height, maxPixels].map((pixels) => Math.ceil(pixels / 1e6));
  throw unreadable(
    `The picture has too many pixels: ${width} × ${height} is ${has} megapixels, the limit is ${limit}.`,
  );
}

function headerOf(bytes: Buffer, { format, frame }: { format: PictureFormat; frame: number }) {
  switch (format) {
    case 'png':
      return { ...readPng(bytes), frames: 1 };
    case 'jpeg':
      return { ...readJpeg(bytes), frames: 1 };
    case 'bmp':
      return { ...readBmp(bytes), frames: 1 };
    case 'webp':
      // The length that the container states: a file that was cut off has fewer bytes.
      if (bytes.length < 12 || bytes.readUInt32LE(4) + 7 > bytes.length) throw corruptPicture('cut off');
      return readBySharp(bytes, 1);
    case 'gif':
      return readBySharp(bytes, 1);
    case 'tiff':
      return readBySharp(bytes, frame);
  }
}

/**
 * Reads a header with sharp. Frames of a TIFF are pages; those of a GIF or WEBP are an animation, of which the first frame is the
 * picture.
 */
async function readBySharp(bytes: Buffer, frame: number): Promise<PictureHeader & { frames: number }> {
  try {
    const metadata = await sharp(bytes, { page: frame - 1, limitInputPixels: false }).metadata();
    return {
      width: metadata.width,
      height: metadata.height,
      dpi: believableDpi(metadata.density ?? 0),
      orientation: metadata.orientation ?? 1,
      plain: false,
      bytesPerPixel: (metadata.channels ?? 4) * (BYTES[metadata.depth ?? ''] ?? 1),
      frames: metadata.format === 'tiff' ? (metadata.pages ?? 1) : 1,
    };
  } catch (error) {
    throw corruptPicture(error);
  }
}
