import sharp from 'sharp';
import { makePdf } from '../house/pdf.ts';
import { picture, pictureAs } from '../house/pictures.ts';
import { type Marker, sizeOf } from './marker.ts';

/** A document whose pages the provider recognises: a picture, or a PDF of scans where there are several. */
export async function documentOf(pages: readonly Marker[]): Promise<Buffer> {
  const [first] = pages;
  if (!first) throw new Error('a document has pages');
  if (pages.length === 1) return picture(sizeOf(first));
  const jpeg = await pictureAs('jpeg');
  const { width = 1, height = 1 } = await sharp(jpeg).metadata();
  return makePdf(
    pages.map((page) => {
      const size = sizeOf(page);
      return { size: [size.width, size.height] as const, picture: { jpeg, width, height } };
    }),
  );
}
