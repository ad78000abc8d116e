import type { PagePicture, ScaledPicture } from '../formats/document.ts';
import { corruptPicture } from '../formats/unreadable.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { encodeForSending } from './encode.ts';
import { sharp } from './sharp.ts';

export interface PictureLimits {
  readonly maxBytes: number;
  /** Most pixels of the longer side. */
  readonly maxSide: number;
}

const MAX_ROUNDS = 6;
/** Share of the limit to aim at: a smaller picture has more bytes for each pixel. */
const MARGIN = 0.9;

/** Fits a picture to an engine that limits bytes or sides: as JPEG, and smaller where that is not enough. */
export async function fitPicture(
  picture: PagePicture,
  limits: PictureLimits,
  client: DocumentClient,
): Promise<PagePicture> {
  const { maxBytes, maxSide } = limits;
  const longest = Math.max(picture.width, picture.height);
  if (picture.bytes.length <= maxBytes && longest <= maxSide) return picture;
  let scale = Math.min(1, maxSide / longest);
  const encode = (by: number) =>
    picture.decoder ? picture.decoder.scale(picture, by, client) : encodeScaled(picture, by);
  let encoded = await encode(scale);
  for (let round = 1; round < MAX_ROUNDS && encoded.bytes.length > maxBytes; round++) {
    client.signal?.throwIfAborted();
    scale *= Math.sqrt(maxBytes / encoded.bytes.length) * MARGIN;
    encoded = await encode(scale);
  }
  const { width, height } = encoded;
  const warnings =
    scale < 1
      ? [...picture.warnings, `The picture was scaled down to ${width} × ${height} pixels to fit the engine’s limits.`]
      : picture.warnings;
  return { ...encoded, dpi: picture.dpi && Math.round(picture.dpi * scale), warnings };
}

/** Encodes a picture as JPEG, smaller by the scale. */
export async function encodeScaled(
  { bytes, width, height }: Pick<PagePicture, 'bytes' | 'width' | 'height'>,
  scale: number,
): Promise<ScaledPicture> {
  const image = sharp(bytes, { limitInputPixels: width * height });
  const size = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  try {
    return await encodeForSending(scale < 1 ? image.resize({ ...size, fit: 'inside' }) : image, { lossy: true });
  } catch (error) {
    throw corruptPicture(error);
  }
}
