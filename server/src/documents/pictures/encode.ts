import type { Sharp } from 'sharp';
import type { PagePicture } from '../formats/document.ts';

const JPEG = { quality: 90, chromaSubsampling: '4:4:4' } as const;
/** Bytes above which a PNG is a photograph: as JPEG it is a fraction of the size, and no engine sees a difference. */
const PNG_BYTES = 4 * 1024 * 1024;

type Encoded = Pick<PagePicture, 'bytes' | 'mimeType' | 'width' | 'height'>;

/** Encodes for a recogniser on this machine: grey, and not compressed, because unpacking costs more than copying. */
export async function encodeForHere(image: Sharp): Promise<Encoded> {
  return finish(forHere(image), 'image/png');
}

export function forHere(image: Sharp): Sharp {
  return image.toColourspace('b-w').png({ compressionLevel: 0 });
}

/**
 * Encodes for an engine elsewhere: small, and lossless unless the picture is a photograph (`lossy`: it was compressed with loss
 * before).
 */
export async function encodeForSending(image: Sharp, { lossy }: { lossy: boolean }): Promise<Encoded> {
  if (!lossy) {
    const png = await finish(image.png(), 'image/png'); // a clone would have a copy of the pixels, made on the service's thread
    if (png.bytes.length <= PNG_BYTES) return png;
  }
  return finish(image.jpeg(JPEG), 'image/jpeg');
}

async function finish(image: Sharp, mimeType: Encoded['mimeType']): Promise<Encoded> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { bytes: data, mimeType, width: info.width, height: info.height };
}
