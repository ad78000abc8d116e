import type { Affine, PlacedLine, PlacedWord } from '../formats/document.ts';

const BOX_NUMBERS = 8;
const LINE_FEED = 0x0a;
const FIRST_OF_TWO_UNITS = 0x1_0000;
const UTF16 = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Words with their places, in few large values. */
export interface FoundWords {
  /** Texts of the words, one on each line; they have no white space. */
  readonly texts: string;
  /** Eight numbers for each word. */
  readonly boxes: readonly number[];
  /** Eight numbers for each line, and its number of words. */
  readonly lineBoxes: readonly number[];
  readonly lineLengths: readonly number[];
}

/** The box of what has been gathered, in the page's own coordinates, and the direction of its text. */
class Extent {
  left = Infinity;
  bottom = Infinity;
  right = -Infinity;
  top = -Infinity;
  quarters = 0;

  get isEmpty(): boolean {
    return this.left === Infinity;
  }

  extend(left: number, bottom: number, right: number, top: number): void {
    if (left < this.left) this.left = left;
    if (bottom < this.bottom) this.bottom = bottom;
    if (right > this.right) this.right = right;
    if (top > this.top) this.top = top;
  }

  clear(): void {
    this.left = Infinity;
    this.bottom = Infinity;
    this.right = -Infinity;
    this.top = -Infinity;
  }
}

/** Gathers characters into words, and words into lines. */
export class PlacedWordsBuilder {
  readonly #map: Affine;
  readonly #units: Uint16Array<ArrayBuffer>;
  #end = 0;
  #wordStart = 0;
  readonly #word = new Extent();
  readonly #line = new Extent();
  #wordsOfLine = 0;
  readonly #boxes: number[] = [];
  readonly #lineBoxes: number[] = [];
  readonly #lineLengths: number[] = [];

  /** `map` maps the page's own coordinates to fractions of the page as it is shown. */
  constructor(map: Affine, characters: number) {
    this.#map = map;
    this.#units = new Uint16Array(3 * characters); // two units a character, and a break behind each word
  }

  /** Adds a character to the word under way. */
  add(code: number): void {
    if (code < FIRST_OF_TWO_UNITS) this.#units[this.#end++] = code;
    else {
      const text = String.fromCodePoint(code);
      this.#units[this.#end++] = text.charCodeAt(0);
      this.#units[this.#end++] = text.charCodeAt(1);
    }
  }

  /**
   * Extends the box of the word by that of a character's glyph, given by two corners, x and y. True for the first box of the
   * word.
   */
  extend(corners: Float32Array): boolean {
    const x1 = corners[0] ?? Number.NaN;
    const y1 = corners[1] ?? Number.NaN;
    const x2 = corners[2] ?? Number.NaN;
    const y2 = corners[3] ?? Number.NaN;
    if (!Number.isFinite(x1 + y1 + x2 + y2)) return false;
    const { isEmpty } = this.#word;
    this.#word.extend(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
    return isEmpty;
  }

  /** Sets the direction of the word: quarter turns with the clock. */
  runs(quarters: number): void {
    this.#word.quarters = quarters;
  }

  endWord(): void {
    const word = this.#word;
    if (this.#end === this.#wordStart || word.isEmpty) this.#end = this.#wordStart;
    else {
      this.#units[this.#end++] = LINE_FEED;
      this.#wordStart = this.#end;
      if (this.#wordsOfLine++ === 0) this.#line.quarters = word.quarters;
      this.#line.extend(word.left, word.bottom, word.right, word.top);
      this.#push(this.#boxes, word);
    }
    word.clear();
  }

  endLine(): void {
    this.endWord();
    if (this.#wordsOfLine === 0) return;
    this.#push(this.#lineBoxes, this.#line);
    this.#lineLengths.push(this.#wordsOfLine);
    this.#wordsOfLine = 0;
    this.#line.clear();
  }

  found(): FoundWords {
    return {
      texts: UTF16.decode(this.#units.subarray(0, Math.max(0, this.#end - 1))),
      boxes: this.#boxes,
      lineBoxes: this.#lineBoxes,
      lineLengths: this.#lineLengths,
    };
  }

  /** Adds the corners of a box, clockwise from the one where the text begins. */
  #push(boxes: number[], { left, bottom, right, top, quarters }: Extent): void {
    const [a, b, c, d, e, f] = this.#map;
    for (let corner = quarters; corner < quarters + 4; corner++) {
      const x = corner % 4 === 1 || corner % 4 === 2 ? right : left;
      const y = corner % 4 < 2 ? top : bottom;
      boxes.push(a * x + c * y + e, b * x + d * y + f);
    }
  }
}

/** The words as objects, line by line. */
export function placedLines({ texts, boxes, lineBoxes, lineLengths }: FoundWords): PlacedLine[] {
  const words = texts === '' ? [] : texts.split('\n');
  const lines: PlacedLine[] = [];
  let first = 0;
  for (const [index, length] of lineLengths.entries()) {
    const inside: PlacedWord[] = [];
    for (let at = first; at < first + length; at++) {
      inside.push({ text: words[at] ?? '', box: boxAt(boxes, at), confidence: null });
    }
    const text = words.slice(first, first + length).join(' ');
    lines.push({ text, box: boxAt(lineBoxes, index), confidence: null, block: null, words: inside });
    first += length;
  }
  return lines;
}

function boxAt(boxes: readonly number[], index: number): PlacedWord['box'] {
  const at = BOX_NUMBERS * index;
  const number = (offset: number) => boxes[at + offset] ?? 0;
  return [number(0), number(1), number(2), number(3), number(4), number(5), number(6), number(7)];
}
