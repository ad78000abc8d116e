import type { PlacedLine, PlacedWord } from '../formats/document.ts';
import { type Box, combinedBox } from './pdf-objects.ts';
import { floatsAt, type Pdfium, type Pointer, withMemory } from './pdfium.ts';

/** Of a page: an endless one gets no positions. */
const MOST_CHARACTERS = 200_000;
/** Instead of a hyphen and the line break behind it, as PDFium's functions name it. */
const HYPHENS_AT_LINE_END = [0x0002, 0xfffe];
const BREAKS = [0x0a, 0x0d];
const BOX_BYTES = 16;
/** The device of PDFium's mapping: its answers are whole numbers. */
const DEVICE = 10_000_000;
const POINT_BYTES = 8;

interface Page {
  readonly page: Pointer;
  readonly textPage: Pointer;
}

/**
 * The words of a page's text layer where they stand on the page as it is shown, in fractions of it: the lines are those
 * of PDFium's own text. Null for a page of too many characters.
 */
export function readWords(pdfium: Pdfium, at: Page): PlacedLine[] | null {
  const count = pdfium.FPDFText_CountChars(at.textPage);
  if (count > MOST_CHARACTERS) return null;
  const lines = new Lines(mapToShown(pdfium, at.page));
  withMemory(pdfium, BOX_BYTES, (memory) => {
    for (let index = 0; index < count; index++) {
      const code = pdfium.FPDFText_GetUnicode(at.textPage, index);
      const divides = HYPHENS_AT_LINE_END.includes(code) && pdfium.FPDFText_IsHyphen(at.textPage, index) === 1;
      const character = divides ? '-' : String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd);
      if (/\s/u.test(character)) lines.endWord();
      else if (divides || code >= 0x20) lines.add(character, () => glyphOf(pdfium, at.textPage, { index, memory }));
      if (divides || BREAKS.includes(code)) lines.endLine();
    }
  });
  lines.endLine();
  return lines.found;
}

/** Where a glyph stands in the page's own coordinates, and how its text runs: quarter turns with the clock. */
interface Glyph {
  readonly box: Box;
  readonly quarters: number;
}

function glyphOf(
  pdfium: Pdfium,
  textPage: Pointer,
  { index, memory }: { index: number; memory: Pointer },
): Glyph | null {
  if (!pdfium.FPDFText_GetLooseCharBox(textPage, index, memory)) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = floatsAt(pdfium, memory, 4);
  const angle = pdfium.FPDFText_GetCharAngle(textPage, index);
  const box: Box = [Math.min(left, right), Math.min(bottom, top), Math.max(left, right), Math.max(bottom, top)];
  return box.every(Number.isFinite) ? { box, quarters: Math.round(Math.max(0, angle) / (Math.PI / 2)) % 4 } : null;
}

/** Gathers characters into words, and words into lines. */
class Lines {
  readonly found: PlacedLine[] = [];
  readonly #map: (x: number, y: number) => [number, number];
  #words: PlacedWord[] = [];
  #lineBox: Box | null = null;
  #lineQuarters = 0;
  #text = '';
  #box: Box | null = null;
  #quarters = 0;

  constructor(map: (x: number, y: number) => [number, number]) {
    this.#map = map;
  }

  add(character: string, glyphOf: () => Glyph | null): void {
    this.#text += character;
    const glyph = glyphOf();
    if (!glyph) return;
    if (!this.#box) this.#quarters = glyph.quarters;
    this.#box = this.#box ? combinedBox(this.#box, glyph.box) : glyph.box;
  }

  endWord(): void {
    const { text, box } = { text: this.#text, box: this.#box };
    this.#text = '';
    this.#box = null;
    if (text === '' || !box) return;
    if (this.#words.length === 0) this.#lineQuarters = this.#quarters;
    this.#words.push({ text, box: this.#shown(box, this.#quarters) });
    this.#lineBox = this.#lineBox ? combinedBox(this.#lineBox, box) : box;
  }

  endLine(): void {
    this.endWord();
    const { words, box } = { words: this.#words, box: this.#lineBox };
    this.#words = [];
    this.#lineBox = null;
    if (!box) return;
    this.found.push({
      text: words.map(({ text }) => text).join(' '),
      box: this.#shown(box, this.#lineQuarters),
      words,
    });
  }

  /** The corners clockwise from the one where the text begins. */
  #shown([left, bottom, right, top]: Box, quarters: number): PlacedWord['box'] {
    const corners = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ] as const;
    const turned = corners.map((_, i) => corners[(quarters + i) % 4] ?? corners[0]);
    // Four corners of two numbers.
    return turned.flatMap(([x, y]) => this.#map(x, y)) as unknown as PlacedWord['box'];
  }
}

/** From the page's own coordinates to fractions of the page as it is shown: PDFium knows its CropBox and its `/Rotate`. */
function mapToShown(pdfium: Pdfium, page: Pointer): (x: number, y: number) => [number, number] {
  const width = pdfium.FPDF_GetPageWidthF(page);
  const height = pdfium.FPDF_GetPageHeightF(page);
  const [x0, y0] = onDevice(pdfium, page, [0, 0]);
  const [x1, y1] = onDevice(pdfium, page, [width, 0]);
  const [x2, y2] = onDevice(pdfium, page, [0, height]);
  const [a, b, c, d] = [(x1 - x0) / width, (y1 - y0) / width, (x2 - x0) / height, (y2 - y0) / height];
  return (x, y) => [x0 + a * x + c * y, y0 + b * x + d * y];
}

function onDevice(pdfium: Pdfium, page: Pointer, [x, y]: readonly [number, number]): [number, number] {
  return withMemory(pdfium, POINT_BYTES, (at) => {
    pdfium.FPDF_PageToDevice(page, 0, 0, DEVICE, DEVICE, 0, x, y, at, at + 4);
    const [left = 0, top = 0] = new Int32Array(pdfium.memory.buffer, at, 2);
    return [left / DEVICE, top / DEVICE];
  });
}
