import { flattenFields } from './excerpt/form-fields.ts';
import { saveDocument } from './excerpt/save-document.ts';
import type { Pdfium } from './library/pdfium.ts';
import { PdfDocument } from './pdf-document.ts';
import { type DrawOptions, drawPage } from './pdf-draw.ts';

export interface ExcerptOptions {
  /** Numbers of the pages, from 1. */
  readonly pages: readonly number[];
  /** Most bytes of the file. */
  readonly mostBytes: number;
  /** Most bytes of one decoded picture, where pages are drawn to be compared. */
  readonly maxPictureBytes: number;
}

/** Names of layers (optional content) as PDFium writes them: of a layer, and of the rule which of several are shown. */
const LAYER_MARKS = ['/OCG', '/OCMD'];
const LOOK_DPI = 72;
const LOOK_PIXELS = 4e6;
/** Longest time for comparing pages; where there are more, the whole document is sent. */
const LOOK_MS = 5000;

/**
 * Makes a PDF of pages of a document that was just opened, in which they look as they do there. Null where they would not, or
 * cannot be copied, or the file would be larger than `mostBytes`.
 */
export function excerptOf(
  pdfium: Pdfium,
  document: PdfDocument,
  options: ExcerptOptions,
): Uint8Array<ArrayBuffer> | null {
  const { pages, mostBytes } = options;
  if (document.isDynamicXfa || !keepsForm(pdfium, document, pages)) return null;
  const file = document.withCopyOf(pages, (copy) => saveDocument(pdfium, copy, mostBytes));
  if (!file) return null;
  using excerpt = new PdfDocument(pdfium, file);
  if (excerpt.claimedPages !== pages.length) return null;
  return hasLayers(file) && !looksTheSame(pdfium, { document, excerpt }, options) ? null : file;
}

function keepsForm(pdfium: Pdfium, document: PdfDocument, pages: readonly number[]): boolean {
  if (!document.hasForm) return true;
  return pages.every((number) => document.withPlainPage(number, (page) => flattenFields(pdfium, page)));
}

/** Whether a file has layers: no page tells which of them are hidden, and that is not copied. */
function hasLayers(file: Uint8Array<ArrayBuffer>): boolean {
  const bytes = Buffer.from(file.buffer);
  return LAYER_MARKS.some((mark) => bytes.includes(mark));
}

function looksTheSame(
  pdfium: Pdfium,
  { document, excerpt }: { document: PdfDocument; excerpt: PdfDocument },
  { pages, maxPictureBytes }: ExcerptOptions,
): boolean {
  const untilMs = performance.now() + LOOK_MS;
  const options: DrawOptions = { dpi: LOOK_DPI, maxPixels: LOOK_PIXELS, maxPictureBytes, grey: true };
  const look = (from: PdfDocument, number: number) =>
    from.withPlainPage(number, (page) => Buffer.from(drawPage(pdfium, page, options).pixels.buffer));
  return pages.every((number, index) => {
    if (performance.now() > untilMs) return false;
    const before = look(document, number);
    const after = look(excerpt, index + 1);
    return before !== null && after !== null && before.equals(after);
  });
}
