import type { TextPage } from '../formats/document.ts';
import { packWords } from '../positions/pack-words.ts';
import { turnBrackets } from './from-right/brackets.ts';
import { joinBrokenLines } from './from-right/broken-lines.ts';
import { readDrawnLines } from './from-right/drawn-lines.ts';
import { type DrawnGlyph, isDrawnByGlyphs } from './from-right/drawn-places.ts';
import { isWrittenFromRight, orderLigatures } from './from-right/ligatures.ts';
import { judgeText } from './judge-text.ts';
import { floatsAt, type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';
import { pageSignals } from './page-signals.ts';
import { pageText } from './page-text.ts';
import type { PdfDocument } from './pdf-document.ts';
import { pageSize } from './pdf-objects.ts';
import { readWords } from './pdf-words.ts';
import { type Corrections, correctionsOf, type ObjectCharacter } from './single-glyphs/corrections.ts';
import type { TextObject } from './single-glyphs/text-object.ts';
import { drawsBlanks, textObjects } from './text-objects.ts';

const BYTES_PER_DOUBLE = 8;
const LAST_CODE_POINT = 0x10ffff;

/** Reads the text layer of a page, counted from 1, and judges whether it can be trusted. */
export function readTextPage(
  pdfium: Pdfium,
  document: PdfDocument,
  { number, positions }: { number: number; positions: boolean },
): TextPage {
  const page = document.withPage(number, (handle) => readText(pdfium, handle, positions));
  return { number, ...(page ?? { text: '', kind: 'scanned', reason: 'it is damaged and cannot be opened' }) };
}

function readText(pdfium: Pdfium, page: Pointer, positions: boolean): Omit<TextPage, 'number'> {
  const textPage = pdfium.FPDFText_LoadPage(page);
  const size = pageSize(pdfium, page);
  if (!textPage) return { text: '', kind: 'scanned', reason: 'its text cannot be read', size };
  try {
    const objects = drawsBlanks(pdfium, page) ? textObjects(pdfium, page) : [];
    const corrections = objects.length > 0 ? correctionsOf(objects, objectCharacters(pdfium, textPage)) : null;
    const told = pageText(pdfium, textPage);
    const asItIs = corrected(told, corrections, pdfium, textPage);
    const raw = isWrittenFromRight(asItIs) ? fromRight(asItIs, objects, placedGlyphs(pdfium, textPage)) : asItIs;
    const judged = judgeText(pageSignals(pdfium, page, { text: raw.replaceAll('\0', ''), textPage }));
    const text = tidy(raw);
    if (!positions || judged.kind !== 'text') return { text, ...judged, size };
    const words = readWords(pdfium, { page, textPage, text: told, corrections });
    return { text, ...judged, size, words: words && packWords(words, { page: size, text }) };
  } finally {
    pdfium.FPDFText_ClosePage(textPage);
  }
}

function objectCharacters(pdfium: Pdfium, textPage: Pointer): ObjectCharacter[] {
  return Array.from({ length: pdfium.FPDFText_CountChars(textPage) }, (_, index) => {
    return { object: pdfium.FPDFText_GetTextObject(textPage, index), text: characterAt(pdfium, textPage, index) };
  });
}

/** A character of the page; empty for a glyph without one. */
function characterAt(pdfium: Pdfium, textPage: Pointer, index: number): string {
  const code = pdfium.FPDFText_GetUnicode(textPage, index);
  return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : '';
}

function corrected(text: string, corrections: Corrections | null, pdfium: Pdfium, textPage: Pointer): string {
  if (!corrections) return text;
  const letters = [...text];
  const isOneToOne = letters.length === pdfium.FPDFText_CountChars(textPage);
  const change = (index: number, changed: (letter: string) => string) => {
    const at = isOneToOne ? index : pdfium.FPDFText_GetTextIndexFromCharIndex(textPage, index);
    const letter = letters[at];
    if (letter !== undefined) letters[at] = changed(letter);
  };
  for (const index of corrections.blanksBefore) change(index, (letter) => ` ${letter}`);
  for (const index of corrections.dropped) change(index, () => '');
  return letters.join('');
}

function fromRight(asItIs: string, objects: readonly TextObject[], glyphs: readonly DrawnGlyph[]): string {
  if (isDrawnByGlyphs(objects, glyphs)) return turnBrackets(readDrawnLines(objects, glyphs));
  const joined = joinBrokenLines(glyphs);
  return turnBrackets(orderLigatures(joined ?? asItIs, glyphs));
}

/** All characters of the page, with the places of their glyphs. */
function placedGlyphs(pdfium: Pdfium, textPage: Pointer): DrawnGlyph[] {
  return withMemory(pdfium, 2 * BYTES_PER_DOUBLE, (at) => {
    return Array.from({ length: pdfium.FPDFText_CountChars(textPage) }, (_, index) => {
      pdfium.FPDFText_GetCharOrigin(textPage, index, at, at + BYTES_PER_DOUBLE);
      const [x = 0, y = 0] = new Float64Array(pdfium.memory.buffer, at, 2);
      pdfium.FPDFText_GetLooseCharBox(textPage, index, at);
      const [left = x, top = y, right = x, bottom = y] = floatsAt(pdfium, at, 4);
      const text = characterAt(pdfium, textPage, index);
      const isGenerated = pdfium.FPDFText_IsGenerated(textPage, index) === 1;
      const object = pdfium.FPDFText_GetTextObject(textPage, index);
      return { text, x, y, left, right, height: Math.abs(top - bottom), isGenerated, object };
    });
  });
}

/**
 * Tidies a text: hyphens and line breaks for U+FFFE, which PDFium puts in place of both; no blanks at ends of lines, no control
 * characters.
 */
function tidy(raw: string): string {
  const lines = raw.replaceAll('\ufffe', '-\n').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
