import sharp from 'sharp';
import type { PagePicture } from './document.ts';
import { encodeForHere, encodeForSending, forHere } from './encode.ts';
import { normalise } from './normalise.ts';
import type { DrawnPage } from './pdf-task.ts';
import type { PictureFiles } from './picture-file.ts';

export interface PageWish {
  /** What the page was to be drawn at. */
  readonly dpi: number;
  readonly decoded: boolean;
  readonly files: PictureFiles | null;
  readonly maxPixels: number;
  readonly maxSentPixels: number;
}

/** Packs what a PDF thread made of a page as the picture that engines receive. */
export async function packPage(drawn: DrawnPage, wish: PageWish): Promise<PagePicture> {
  if (drawn.kind === 'taken') {
    const picture = await normalise(Buffer.from(drawn.file.buffer), drawn.format, {
      ...wish,
      frame: 1,
      // We made every PNG among them ourselves.
      decoded: wish.decoded && drawn.format !== 'png',
    });
    return { ...picture, dpi: drawn.dpi };
  }
  const { pixels, channels, width, height, looks } = drawn;
  const raw = sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
  const dpi = Math.max(1, Math.round(drawn.dpi));
  const warnings = drawn.dpi < wish.dpi ? [lowered(dpi, wish)] : [];
  if (wish.decoded && wish.files) return wish.files.write(forHere(raw), { dpi, warningsOf: () => warnings });
  const encoded = wish.decoded
    ? await encodeForHere(raw)
    : await encodeForSending(looks.coloured ? raw : raw.extractChannel(0), { lossy: looks.photographic });
  return { ...encoded, dpi, warnings };
}

function lowered(dpi: number, { dpi: wanted, maxSentPixels }: PageWish): string {
  return `Rendered at ${dpi} instead of ${wanted} dpi: a page may have ${Math.floor(maxSentPixels / 1e6)} megapixels at most.`;
}
