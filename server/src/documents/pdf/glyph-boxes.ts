import type { Pdfium, Pointer } from './library/pdfium.ts';

const BOX_NUMBERS = 4;
const MATRIX_NUMBERS = 6;
const FLOAT_BYTES = 4;
const DOUBLE_BYTES = 8;
/** Height of a line of letters as a share of the font's size, as far as fonts go. */
const LEAST_HEIGHT = 0.3;
const MOST_HEIGHT = 2;
/**
 * Size of a letter as a share of the font's size. Where it is larger, or far smaller, the size is not what it seems (fonts may
 * scale their glyphs).
 */
const WIDEST_LETTER = 1.6;
const HIGHEST_LETTER = 1.3;
const LEAST_LETTER = 0.25;
/** Ascent and descent, as shares of the size, of a font that claims impossible ones. */
const ASCENT = 0.9;
const DESCENT = 0.3;

/** The places of a page's glyphs, in its own coordinates. It is asked for every character, so it makes no objects. */
export class GlyphBoxes {
  /** Bytes of PDFium's memory for its answers. */
  static readonly BYTES = FLOAT_BYTES * (BOX_NUMBERS + MATRIX_NUMBERS) + 4 * DOUBLE_BYTES;

  readonly #pdfium: Pdfium;
  readonly #textPage: Pointer;
  readonly #memory: Pointer;
  #box: Float32Array<ArrayBuffer>;
  #knownHeight = Number.NaN;
  /** Size of the letter and height of the latest box whose height was impossible. */
  #provenSize = Number.NaN;
  #provenHeight = Number.NaN;

  constructor(pdfium: Pdfium, textPage: Pointer, memory: Pointer) {
    this.#pdfium = pdfium;
    this.#textPage = textPage;
    this.#memory = memory;
    this.#box = this.#floats(memory, BOX_NUMBERS);
  }

  /**
   * The box of a glyph: left, top, right and bottom, from the font's descent to its ascent; null where it is unknown. The array
   * is the same one each time. A font with an impossible height, or none, gets that of most fonts.
   */
  at(index: number): Float32Array | null {
    const found = this.#pdfium.FPDFText_GetLooseCharBox(this.#textPage, index, this.#memory) !== 0;
    if (this.#box.length === 0) this.#box = this.#floats(this.#memory, BOX_NUMBERS); // the memory has grown
    if (!found) return null;
    const height = this.#side(1);
    if (height !== this.#knownHeight && !this.#bringToSize(index)) this.#knownHeight = height;
    return this.#box;
  }

  /** The direction in which the text of a character runs: quarter turns with the clock. */
  quartersAt(index: number): number {
    const angle = this.#pdfium.FPDFText_GetCharAngle(this.#textPage, index);
    return Math.round(Math.max(0, angle) / (Math.PI / 2)) % 4;
  }

  /** A side of the box: 0 for its width, 1 for its height. */
  #side(axis: number): number {
    return Math.abs((this.#box[axis] ?? 0) - (this.#box[axis + 2] ?? 0));
  }

  /** Replaces a box of impossible height by another one; answers whether it did. */
  #bringToSize(index: number): boolean {
    const quarters = this.quartersAt(index);
    const axis = quarters % 2 === 0 ? 1 : 0;
    const size = this.#fontSize(index);
    const height = this.#side(axis);
    if (!(size > 0) || (height >= LEAST_HEIGHT * size && height <= MOST_HEIGHT * size)) return false;
    const isProven = size === this.#provenSize && height === this.#provenHeight; // a point is too small to tell
    if (!isProven && !this.#isSizeOf(index, size, axis)) return false;
    this.#provenSize = size;
    this.#provenHeight = height;
    const origin = this.#origin(index, axis);
    const up = quarters === 0 || quarters === 1 ? size : -size;
    this.#box[axis] = origin + ASCENT * up;
    this.#box[axis + 2] = origin - DESCENT * up;
    return true;
  }

  /** Whether the letter is as large as those of a font of this size are. */
  #isSizeOf(index: number, size: number, axis: number): boolean {
    const at = this.#memory + FLOAT_BYTES * (BOX_NUMBERS + MATRIX_NUMBERS);
    const [right, bottom, top] = [1, 2, 3].map((number) => at + number * DOUBLE_BYTES) as [Pointer, Pointer, Pointer];
    this.#pdfium.FPDFText_GetCharBox(this.#textPage, index, at, right, bottom, top);
    const ink = new Float64Array(this.#pdfium.memory.buffer, at, 4);
    const inkHeight = axis === 1 ? (ink[3] ?? 0) - (ink[2] ?? 0) : (ink[1] ?? 0) - (ink[0] ?? 0);
    const width = this.#side(1 - axis);
    if (width > WIDEST_LETTER * size || inkHeight > HIGHEST_LETTER * size) return false;
    return Math.max(width, inkHeight) >= LEAST_LETTER * size;
  }

  /** The size of the font as it is drawn: text may be scaled. */
  #fontSize(index: number): number {
    const at = this.#memory + FLOAT_BYTES * BOX_NUMBERS;
    if (this.#pdfium.FPDFText_GetMatrix(this.#textPage, index, at) === 0) return Number.NaN;
    const matrix = this.#floats(at, MATRIX_NUMBERS);
    return this.#pdfium.FPDFText_GetFontSize(this.#textPage, index) * Math.hypot(matrix[2] ?? 0, matrix[3] ?? 0);
  }

  #origin(index: number, axis: number): number {
    const at = this.#memory + FLOAT_BYTES * (BOX_NUMBERS + MATRIX_NUMBERS);
    this.#pdfium.FPDFText_GetCharOrigin(this.#textPage, index, at, at + DOUBLE_BYTES);
    return new Float64Array(this.#pdfium.memory.buffer, at, 2)[axis] ?? Number.NaN;
  }

  #floats(at: Pointer, count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#pdfium.memory.buffer, at, count);
  }
}
