import type { PagePicture } from '../formats/document.ts';
import { encodeForHere, encodeForSending, forHere } from '../pictures/encode.ts';
import type { PictureFiles } from '../pictures/picture-file.ts';
import { sharp } from '../pictures/sharp.ts';
import type { DrawnPage } from './pdf-task.ts';

export interface PageWish {
  /** The resolution at which the page was to be drawn. */
  readonly dpi: number;
  readonly decoded: boolean;
  readonly files: PictureFiles | null;
  readonly maxSentPixels: number;
}

/** Packs a page that a PDF thread has drawn as the picture that engines receive. */
export async function packPage(drawn: DrawnPage & { kind: 'drawn' }, wish: PageWish): Promise<PagePicture> {
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
