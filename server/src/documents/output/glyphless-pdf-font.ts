import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFName, PDFRawStream, type PDFRef, PDFString } from '@cantoo/pdf-lib';
import type { GlyphCodes } from './glyph-codes.ts';
import { ASCENT, DESCENT, FONT_NAME, GLYPH_WIDTH, glyphlessFont } from './glyphless-font.ts';

const CODES = 0x10000;
const DRAWN_GLYPH = 1;
const FIXED_PITCH_AND_SYMBOLIC = 0b101;

/** Puts the font without glyphs into a PDF under a reserved reference, for the codes that have been given out before. */
export function addGlyphlessFont(context: PDFContext, reference: PDFRef, codes: GlyphCodes): void {
  const font = glyphlessFont();
  const file = context.register(packed(context, font, { Length1: font.length }));
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: FONT_NAME,
      Flags: FIXED_PITCH_AND_SYMBOLIC,
      FontBBox: [0, 0, GLYPH_WIDTH, ASCENT],
      ItalicAngle: 0,
      Ascent: ASCENT,
      Descent: DESCENT,
      CapHeight: ASCENT,
      StemV: 80,
      FontFile2: file,
    }),
  );
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: FONT_NAME,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      DW: GLYPH_WIDTH,
      CIDToGIDMap: context.register(packed(context, glyphOfCodes())),
    }),
  );
  context.assign(
    reference,
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: FONT_NAME,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: context.register(packed(context, Buffer.from(codes.toUnicode()))),
    }),
  );
}

/** A compressed stream; the same content has the same bytes. */
export function packed(
  context: PDFContext,
  content: Uint8Array,
  entries: Readonly<Record<string, number>> = {},
): PDFRawStream {
  const dictionary = context.obj({ ...entries, Filter: PDFName.of('FlateDecode') });
  return PDFRawStream.of(dictionary, deflateSync(content, { level: 9 }));
}

/** The map of all codes to the one glyph, with two bytes each. */
function glyphOfCodes(): Uint8Array {
  const map = new Uint8Array(CODES * 2);
  for (let code = 0; code < CODES; code++) map[code * 2 + 1] = DRAWN_GLYPH;
  return map;
}
