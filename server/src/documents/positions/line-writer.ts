import { ByteWriter } from './byte-writer.ts';
import {
  atBeginning,
  FOLLOWS,
  FREE,
  HAS_BLOCK,
  HAS_CONFIDENCE,
  HAS_SPAN,
  IS_JOINED,
  LEVEL,
  VERSION,
} from './line-form.ts';
import type { Span } from './word-spans.ts';

/**
 * Writes lines as bytes, each with its words behind it. The place of each has to be set in `quad` before. It makes no objects,
 * because a page has thousands of words.
 */
export class LineWriter {
  /** Corners of the next line or word: eight whole numbers. */
  readonly quad = new Int32Array(8);

  readonly #writer = new ByteWriter();
  readonly #before = atBeginning();

  constructor() {
    this.#writer.byte(VERSION);
  }

  /** Writes a line; null for a text that is its words with single blanks. Confidences are in thousandths. */
  line(
    text: string | null,
    confidence: number | null,
    { block, words }: { block: number | null; words: number },
  ): void {
    const writer = this.#writer;
    this.#place(confidence, (block === null ? 0 : HAS_BLOCK) | (text === null ? IS_JOINED : 0));
    if (block !== null) writer.signed(block);
    if (text !== null) writer.text(text);
    writer.number(words);
    this.#before.left = this.quad[0] ?? 0;
  }

  word(text: string, confidence: number | null, span: Span | null): void {
    const [writer, before] = [this.#writer, this.#before];
    if (!span) {
      this.#place(confidence, 0);
      writer.text(text);
      return;
    }
    const [from, to] = span;
    const follows = from === before.to + 1 && to - from === text.length;
    this.#place(confidence, HAS_SPAN | (follows ? FOLLOWS : 0));
    writer.text(text);
    if (!follows) {
      writer.signed(from - before.to);
      writer.signed(to - from);
    }
    before.to = to;
  }

  /** Writes a word that is a part of `texts`, without a confidence, and stands literally in the page's text from `at` on. */
  part(texts: string, { from, to, at }: { from: number; to: number; at: number }): void {
    const [writer, before] = [this.#writer, this.#before];
    const follows = at === before.to + 1;
    this.#place(null, HAS_SPAN | (follows ? FOLLOWS : 0));
    writer.part(texts, from, to);
    if (!follows) {
      writer.signed(at - before.to);
      writer.signed(to - from);
    }
    before.to = at + to - from;
  }

  written(): Buffer<ArrayBuffer> {
    return this.#writer.written();
  }

  #place(confidence: number | null, flags: number): void {
    const [writer, before] = [this.#writer, this.#before];
    const known = flags | (confidence === null ? 0 : HAS_CONFIDENCE);
    const number = (index: number) => this.quad[index] ?? 0;
    const [x1, y1, x2, y2] = [number(0), number(1), number(2), number(3)];
    const [x3, y3, x4, y4] = [number(4), number(5), number(6), number(7)];
    const left = Math.min(x1, x3);
    const right = Math.max(x1, x3);
    const top = Math.min(y1, y3);
    const bottom = Math.max(y1, y3);
    const corner = cornerOf(x1 === left, y1 === top);
    const turns = corner % 2 === 1;
    const isUpright = turns
      ? x1 === x2 && y2 === y3 && x3 === x4 && y4 === y1
      : y1 === y2 && x2 === x3 && y3 === y4 && x4 === x1;
    if (isUpright) {
      const level = top === before.top && bottom === before.bottom;
      writer.byte(known | corner | (level ? LEVEL : 0));
      writer.signed(left - before.left);
      writer.number(right - left);
      if (!level) {
        writer.signed(top - before.top);
        writer.number(bottom - top);
      }
    } else {
      writer.byte(known | FREE);
      writer.signed(x1 - before.left);
      writer.signed(y1 - before.top);
      for (const x of [x2, x3, x4]) writer.signed(x - x1);
      for (const y of [y2, y3, y4]) writer.signed(y - y1);
    }
    if (confidence !== null) writer.number(confidence);
    before.left = right;
    before.top = top;
    before.bottom = bottom;
  }
}

/** The number of a corner, clockwise from the one at the top left. */
function cornerOf(isLeft: boolean, isTop: boolean): number {
  if (isTop) return isLeft ? 0 : 1;
  return isLeft ? 3 : 2;
}
