import type { Affine } from '../formats/document.ts';
import { type FoundWords, PlacedWordsBuilder } from '../positions/placed-words.ts';
import { GlyphBoxes } from './glyph-boxes.ts';
import { type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';
import type { Corrections } from './single-glyphs/corrections.ts';

/** Most characters of a page: an endless one gets no positions. */
const MOST_CHARACTERS = 200_000;
const LAST_CODE_POINT = 0x10ffff;
const UNKNOWN = 0xfffd;
/** The code in PDFium's text for a hyphen at the end of a line, and for a glyph without a character. */
const HYPHEN_OR_UNKNOWN = 0xfffe;
const HYPHEN = 0x2d;
const BLANK = 0x20;
/** The first code above ASCII that may be white space. */
const FIRST_OTHER_BLANK = 0x80;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Size of the device for PDFium's mapping, whose answers are whole numbers. */
const DEVICE = 10_000_000;
const POINT_BYTES = 8;

interface Page {
  readonly page: Pointer;
  readonly textPage: Pointer;
  /** The page's text as PDFium gives it. */
  readonly text: string;
  readonly corrections: Corrections | null;
}

/**
 * The words of a page's text layer with their places, in fractions of the page as it is shown; the lines are those of PDFium's
 * text. Null for a page of too many characters. The loop runs for every character, so it makes no objects.
 */
export function readWords(pdfium: Pdfium, { page, textPage, text, corrections }: Page): FoundWords | null {
  const count = pdfium.FPDFText_CountChars(textPage);
  if (count > MOST_CHARACTERS) return null;
  const isInText = isOneToOne(text, count);
  const words = new PlacedWordsBuilder(mapToShown(pdfium, page), count);
  withMemory(pdfium, GlyphBoxes.BYTES, (memory) => {
    const boxes = new GlyphBoxes(pdfium, textPage, memory);
    for (let index = 0; index < count; index++) {
      if (corrections?.dropped.has(index)) continue;
      if (corrections?.blanksBefore.has(index)) words.endWord();
      const told = isInText ? text.charCodeAt(index) : HYPHEN_OR_UNKNOWN;
      const code = told === HYPHEN_OR_UNKNOWN ? pdfium.FPDFText_GetUnicode(textPage, index) >>> 0 : told; // without a sign
      const divides = isHyphenAtLineEnd(code) && pdfium.FPDFText_IsHyphen(textPage, index) === 1;
      if (isBlank(code)) words.endWord();
      else if (divides || code >= BLANK) {
        words.add(divides ? HYPHEN : code <= LAST_CODE_POINT ? code : UNKNOWN);
        const box = boxes.at(index);
        if (box && words.extend(box)) words.runs(boxes.quartersAt(index));
      }
      if (divides || code === LINE_FEED || code === CARRIAGE_RETURN) words.endLine();
    }
  });
  words.endLine();
  return words.found();
}

/** Whether the units of a text are the page's characters one for one: PDFium leaves some characters out of it. */
function isOneToOne(text: string, count: number): boolean {
  return text.length === count && !/[\ud800-\udfff]/.test(text);
}

/** Whether a code is one of those by which PDFium's functions mean a hyphen and the line break behind it. */
function isHyphenAtLineEnd(code: number): boolean {
  return code === 0x0002 || code === HYPHEN_OR_UNKNOWN;
}

function isBlank(code: number): boolean {
  if (code < FIRST_OTHER_BLANK) return code === BLANK || (code >= 0x09 && code <= CARRIAGE_RETURN);
  return code <= LAST_CODE_POINT && /\s/u.test(String.fromCodePoint(code));
}

/** Maps the page's own coordinates to fractions of the page as it is shown: PDFium knows its CropBox and its `/Rotate`. */
function mapToShown(pdfium: Pdfium, page: Pointer): Affine {
  const width = pdfium.FPDF_GetPageWidthF(page);
  const height = pdfium.FPDF_GetPageHeightF(page);
  const [x0, y0] = onDevice(pdfium, page, [0, 0]);
  const [x1, y1] = onDevice(pdfium, page, [width, 0]);
  const [x2, y2] = onDevice(pdfium, page, [0, height]);
  return [(x1 - x0) / width, (y1 - y0) / width, (x2 - x0) / height, (y2 - y0) / height, x0, y0];
}

function onDevice(pdfium: Pdfium, page: Pointer, [x, y]: readonly [number, number]): [number, number] {
  return withMemory(pdfium, POINT_BYTES, (at) => {
    pdfium.FPDF_PageToDevice(page, 0, 0, DEVICE, DEVICE, 0, x, y, at, at + 4);
    const [left = 0, top = 0] = new Int32Array(pdfium.memory.buffer, at, 2);
    return [left / DEVICE, top / DEVICE];
  });
}
