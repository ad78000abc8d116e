import { memoryOf, type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';

const BYTES_PER_UNIT = 2;
const BYTES_PER_DOUBLE = 8;
/** Least side of a glyph's box with ink, in points: PDFium gives a hundredth to one that draws nothing. */
const LEAST_INK = 0.02;
const LAST_CODE_POINT = 0x10ffff;
/** The character in PDFium's text for a hyphen at the end of a line, and for a glyph that the font does not name. */
const HYPHEN_OR_UNKNOWN = '\ufffe';
const HYPHEN_AT_LINE_END = 0x0002;
const UTF16 = new TextDecoder('utf-16le');

/**
 * The text of a page as PDFium gives it, in which U+FFFE is only a hyphen with the line break behind it. A glyph without a
 * character is U+FFFD where it has ink, a blank where it leaves a gap, and U+0000 where it does neither.
 */
export function pageText(pdfium: Pdfium, textPage: Pointer): string {
  const raw = rawText(pdfium, textPage);
  if (!raw.includes(HYPHEN_OR_UNKNOWN)) return raw;
  const codes = Array.from({ length: pdfium.FPDFText_CountChars(textPage) }, (_, index) => {
    return pdfium.FPDFText_GetUnicode(textPage, index) >>> 0; // without a sign
  });
  // PDFium counts such glyphs otherwise than it writes them, and cuts the text off: the text is made of single characters then.
  if (!codes.includes(0)) return raw;
  return codes.map((code, index) => characterOf(pdfium, textPage, { code, index })).join('');
}

function rawText(pdfium: Pdfium, textPage: Pointer): string {
  const characters = pdfium.FPDFText_CountChars(textPage);
  if (characters <= 0) return '';
  return withMemory(pdfium, (characters + 1) * BYTES_PER_UNIT, (at) => {
    const units = pdfium.FPDFText_GetText(textPage, 0, characters, at);
    const end = at + Math.max(0, units - 1) * BYTES_PER_UNIT;
    return UTF16.decode(memoryOf(pdfium).subarray(at, end));
  });
}

function characterOf(pdfium: Pdfium, textPage: Pointer, { code, index }: { code: number; index: number }): string {
  if (code === 0) return standIn(pdfium, textPage, index);
  if (code === HYPHEN_AT_LINE_END && pdfium.FPDFText_IsHyphen(textPage, index) === 1) return HYPHEN_OR_UNKNOWN;
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : '\0';
}

/**
 * The character for a glyph without one. Some programs map the glyph of a ligature to nothing: leaving it out silently would make
 * another word.
 */
function standIn(pdfium: Pdfium, textPage: Pointer, index: number): string {
  if (hasInk(pdfium, textPage, index)) return '\ufffd';
  const isInText = pdfium.FPDFText_GetTextIndexFromCharIndex(textPage, index) >= 0;
  return isInText ? ' ' : '\0';
}

function hasInk(pdfium: Pdfium, textPage: Pointer, index: number): boolean {
  return withMemory(pdfium, 4 * BYTES_PER_DOUBLE, (at) => {
    const [right, bottom, top] = [at + BYTES_PER_DOUBLE, at + 2 * BYTES_PER_DOUBLE, at + 3 * BYTES_PER_DOUBLE];
    pdfium.FPDFText_GetCharBox(textPage, index, at, right, bottom, top);
    const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = new Float64Array(pdfium.memory.buffer, at, 4);
    return Math.min(Math.abs(x2 - x1), Math.abs(y2 - y1)) >= LEAST_INK;
  });
}
