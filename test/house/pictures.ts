import sharp from 'sharp';

export interface PictureWish {
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}

let drawn = 0;

/**
 * Grey pixels of a page with ink on it, never the same twice: black lines, the last of which spells a number. What a
 * scripted engine "reads" is up to its script, so nothing here has to be legible.
 */
export function inkedPixels(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height, 255);
  drawn += 1;
  for (let y = 4; y < height - 4; y++) {
    for (let x = 4; x < width - 4; x++) {
      const onNumber = y >= height - 8 && ((drawn >> ((x - 4) % 16)) & 1) === 1;
      if (onNumber || (y < height - 8 && y % 8 < 3)) pixels[y * width + x] = 0;
    }
  }
  return pixels;
}

/** A small PNG with ink on it, another one at each call. */
export async function picture({ width = 64, height = 48 }: PictureWish = {}): Promise<Buffer> {
  return sharp(inkedPixels(width, height), grey(width, height)).png().toBuffer();
}

/** A PNG without a trace of ink. */
export async function blankPicture({ width = 64, height = 48 }: PictureWish = {}): Promise<Buffer> {
  return sharp(Buffer.alloc(width * height, 255), grey(width, height))
    .png()
    .toBuffer();
}

/** An inked picture in a format that sharp writes. */
export async function pictureAs(
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff',
  wish: PictureWish = {},
): Promise<Buffer> {
  return sharp(await picture(wish))
    .toFormat(format)
    .toBuffer();
}

/** A JPEG that stores a wide picture and says, by EXIF orientation 6, that it is to be shown turned into a tall one. */
export async function turnedJpeg(width: number, height: number): Promise<Buffer> {
  return sharp(await picture({ width, height }))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** A PNG with ink on a transparent ground, whose hidden colour is black. */
export async function transparentPicture(width = 64, height = 48): Promise<Buffer> {
  const pixels = inkedPixels(width, height);
  const rgba = Buffer.alloc(width * height * 4);
  pixels.forEach((grey, index) => {
    rgba[index * 4 + 3] = grey === 0 ? 255 : 0;
  });
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

/** A JPEG in printing colours. */
export async function cmykJpeg(): Promise<Buffer> {
  return sharp(await picture())
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
}

function grey(width: number, height: number) {
  return { raw: { width, height, channels: 1 as const } };
}
