import { ByteReader } from './byte-reader.ts';
import {
  atBeginning,
  CORNER,
  FOLLOWS,
  FREE,
  HAS_BLOCK,
  HAS_CONFIDENCE,
  HAS_SPAN,
  IS_JOINED,
  LEVEL,
  VERSION,
} from './line-form.ts';

/**
 * Goes through lines as bytes, and through the words of each. The current line or word is in its fields until the next step. It
 * makes no objects, because a page has thousands of words.
 */
export class LineCursor {
  readonly bytes: Buffer;
  /** Corners of the current line or word: eight whole numbers. */
  readonly quad = new Int32Array(8);
  /** Confidence of the current line or word, in thousandths. */
  confidence: number | null = null;
  /** Block of the current line. */
  block: number | null = null;
  /** Whether the text of the current line is its words with single blanks, so that it is not stored. */
  isJoined = false;
  /** Range of the text of the current line or word in the bytes, as UTF-8. */
  textFrom = 0;
  textTo = 0;
  /** Range of the current word in the page's text. */
  from: number | null = null;
  to: number | null = null;
  /** Words of the current line that are still to come. */
  wordsLeft = 0;

  readonly #reader: ByteReader;
  readonly #before = atBeginning();

  /** Throws for bytes in a form of another version. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#reader = new ByteReader(bytes);
    const version = this.#reader.byte();
    if (version !== VERSION) throw new Error(`positions of form ${version} are not known to this version`);
  }

  /** Goes to the next line; false at the end. The words of the line before must have been gone through. */
  nextLine(): boolean {
    const reader = this.#reader;
    if (reader.isAtEnd) return false;
    const flags = this.#readPlace();
    this.block = flags & HAS_BLOCK ? reader.signed() : null;
    this.isJoined = (flags & IS_JOINED) !== 0;
    if (!this.isJoined) this.#readText();
    this.wordsLeft = reader.number();
    this.#before.left = this.quad[0] ?? 0;
    return true;
  }

  /** Goes to the next word of the line; false where there is none. */
  nextWord(): boolean {
    if (this.wordsLeft === 0) return false;
    this.wordsLeft--;
    const flags = this.#readPlace();
    this.#readText();
    this.#readSpan(flags);
    return true;
  }

  text(): string {
    return this.bytes.toString('utf8', this.textFrom, this.textTo);
  }

  #readPlace(): number {
    const flags = this.#reader.byte();
    if (flags & FREE) this.#readFree();
    else this.#readUpright(flags);
    this.confidence = flags & HAS_CONFIDENCE ? this.#reader.number() : null;
    return flags;
  }

  #readUpright(flags: number): void {
    const [reader, before] = [this.#reader, this.#before];
    const left = before.left + reader.signed();
    const right = left + reader.number();
    if (!(flags & LEVEL)) {
      before.top += reader.signed();
      before.bottom = before.top + reader.number();
    }
    before.left = right;
    this.#cornersFrom(flags & CORNER, { left, right, top: before.top, bottom: before.bottom });
  }

  /** Sets the corners clockwise; the first one is the corner with this number. */
  #cornersFrom(
    corner: number,
    { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  ) {
    for (let index = 0; index < 4; index++) {
      const which = (corner + index) & 3;
      this.quad[2 * index] = which === 1 || which === 2 ? right : left;
      this.quad[2 * index + 1] = which < 2 ? top : bottom;
    }
  }

  #readFree(): void {
    const [reader, before, quad] = [this.#reader, this.#before, this.quad];
    const x = before.left + reader.signed();
    const y = before.top + reader.signed();
    quad[0] = x;
    quad[1] = y;
    for (let index = 2; index < 8; index += 2) quad[index] = x + reader.signed();
    for (let index = 3; index < 8; index += 2) quad[index] = y + reader.signed();
    const [x3, y3] = [quad[4] ?? 0, quad[5] ?? 0];
    before.left = Math.max(x, x3);
    before.top = Math.min(y, y3);
    before.bottom = Math.max(y, y3);
  }

  #readText(): void {
    const length = this.#reader.number();
    this.textFrom = this.#reader.skip(length);
    this.textTo = this.textFrom + length;
  }

  #readSpan(flags: number): void {
    if (!(flags & HAS_SPAN)) {
      this.from = null;
      this.to = null;
      return;
    }
    const [reader, before] = [this.#reader, this.#before];
    const from = before.to + (flags & FOLLOWS ? 1 : reader.signed());
    before.to = from + (flags & FOLLOWS ? this.#units() : reader.signed());
    this.from = from;
    this.to = before.to;
  }

  /** The length of the text in UTF-16. */
  #units(): number {
    let units = 0;
    for (let at = this.textFrom; at < this.textTo; at++) {
      const byte = this.bytes[at] ?? 0;
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  }
}
