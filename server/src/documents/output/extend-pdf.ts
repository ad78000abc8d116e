import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  type PDFPageLeaf,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { GlyphCodes } from './glyph-codes.ts';
import { addGlyphlessFont, packed } from './glyphless-pdf-font.ts';
import type { OutputPage } from './output-page.ts';
import { frameOf } from './page-frame.ts';
import { textLayer } from './text-layer.ts';

/** Thrown for a file that cannot take an appended update; the message is for the log. */
export class NotExtendableError extends Error {}

const HEADER = Buffer.from('%PDF-');
const TABLE = Buffer.from('xref');
const FONT = PDFName.of('Font');

export interface Extended {
  readonly bytes: Uint8Array;
  /** Numbers of the pages that got a layer. */
  readonly pages: readonly number[];
}

/**
 * Appends a text layer to a PDF: the result begins with the bytes as they came. The layer is drawn before the page's own content,
 * which stays as it is: whatever graphics state that leaves behind, the layer lies where it should, and nothing visible changes.
 * Throws `NotExtendableError`.
 */
export async function extendPdf(
  bytes: Uint8Array,
  pages: readonly OutputPage[],
  options: { documentPages: number },
): Promise<Extended> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Offsets count from the header, and those of an update would count from the first byte.
  if (file.indexOf(HEADER) !== 0) throw new NotExtendableError('it does not begin with its header');
  const document = await opened(bytes);
  const { context } = document;
  const leaves = leavesOf(document, options.documentPages);
  const codes = new GlyphCodes();
  const fontRef = context.nextRef();
  const written: number[] = [];
  for (const { page, lines } of pages) {
    const leaf = leaves[page - 1];
    const frame = leaf && frameOf(leaf);
    if (!leaf || !frame) throw new NotExtendableError(`page ${page} has no place`);
    const font = freeName(leaf);
    const operators = textLayer(lines, frame, { font, codes });
    if (operators === '') continue;
    addLayer(context, leaf, { font, fontRef, operators });
    written.push(page);
  }
  if (written.length === 0) return { bytes, pages: [] };
  // The font itself comes last: by now it is known which characters there are.
  addGlyphlessFont(context, fontRef, codes);
  const startsAt = context.pdfFileDetails.prevStartXRef;
  const useObjectStreams = !file.subarray(startsAt, startsAt + 16).includes(TABLE);
  return { bytes: await document.save({ useObjectStreams }), pages: written };
}

async function opened(bytes: Uint8Array): Promise<PDFDocument> {
  try {
    const options = { forIncrementalUpdate: true, updateMetadata: false, parseSpeed: Number.POSITIVE_INFINITY };
    const document = await PDFDocument.load(bytes, options);
    if (!document.context.pdfFileDetails.prevStartXRef) throw new Error('no cross-reference');
    return document;
  } catch (error) {
    throw new NotExtendableError('it cannot be opened for an update', { cause: error });
  }
}

/**
 * The pages. Throws `NotExtendableError` for a document in which two pages are one object, or whose pages another reader counts
 * differently.
 */
function leavesOf(document: PDFDocument, expected: number): PDFPageLeaf[] {
  try {
    const leaves = document.getPages().map(({ node }) => node);
    const isSound = leaves.length === expected && new Set(leaves).size === expected;
    if (isSound && leaves.every((leaf) => document.context.getObjectRef(leaf))) return leaves;
  } catch (error) {
    throw new NotExtendableError('its pages cannot be listed', { cause: error });
  }
  throw new NotExtendableError('its pages are counted differently');
}

/** Adds a layer to a page. The page's resources may be shared with other pages: it gets a copy of its own, one level deep. */
function addLayer(
  context: PDFContext,
  leaf: PDFPageLeaf,
  { font, fontRef, operators }: { font: string; fontRef: PDFRef; operators: string },
): void {
  const stream = context.register(packed(context, Buffer.from(operators, 'latin1')));
  const contents = leaf.get(PDFName.of('Contents'));
  const own = contents && context.lookup(contents);
  const rest = own instanceof PDFArray ? own.asArray() : contents && own ? [contents] : [];
  leaf.set(PDFName.of('Contents'), context.obj([stream, ...rest]));
  const resources = copied(context, leaf.Resources());
  const fonts = copied(context, resources.lookup(FONT));
  fonts.set(PDFName.of(font), fontRef);
  resources.set(FONT, fonts);
  leaf.set(PDFName.of('Resources'), resources);
}

function copied(context: PDFContext, dictionary: PDFObject | undefined): PDFDict {
  const copy = context.obj({});
  if (dictionary instanceof PDFDict) for (const [key, value] of dictionary.entries()) copy.set(key, value);
  return copy;
}

function freeName(leaf: PDFPageLeaf): string {
  const fonts = leaf.Resources()?.lookup(FONT);
  let name = 'OcrR';
  for (let suffix = 1; fonts instanceof PDFDict && fonts.has(PDFName.of(name)); suffix++) name = `OcrR${suffix}`;
  return name;
}
