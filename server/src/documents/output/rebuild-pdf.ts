import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import type { Extended } from './extend-pdf.ts';
import { GlyphCodes } from './glyph-codes.ts';
import { addGlyphlessFont, packed } from './glyphless-pdf-font.ts';
import type { RebuiltPage } from './output-task.ts';
import { addPicture } from './picture-object.ts';
import { textLayer } from './text-layer.ts';

const FONT = 'OcrR';
const PICTURE = 'Page';

/** Makes a new PDF of page pictures, each with its text layer. The same pages give the same bytes. */
export async function rebuildPdf(pages: readonly RebuiltPage[]): Promise<Extended> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const codes = new GlyphCodes();
  const fontRef = context.nextRef();
  const written: number[] = [];
  for (const [index, page] of pages.entries()) {
    const { width, height, lines } = page;
    const frame = { left: 0, bottom: 0, right: width, top: height, rotate: 0 } as const;
    const operators = textLayer(lines, frame, { font: FONT, codes });
    if (operators !== '') written.push(index + 1);
    const drawing = `${operators}q ${width} 0 0 ${height} 0 0 cm /${PICTURE} Do Q\n`;
    const { node } = document.addPage([width, height]);
    const resources = { XObject: { [PICTURE]: await addPicture(document, page) }, Font: { [FONT]: fontRef } };
    node.set(PDFName.of('Resources'), context.obj(resources));
    node.set(PDFName.of('Contents'), context.register(packed(context, Buffer.from(drawing, 'latin1'))));
  }
  addGlyphlessFont(context, fontRef, codes);
  return { bytes: await document.save({ useObjectStreams: true, updateFieldAppearances: false }), pages: written };
}
