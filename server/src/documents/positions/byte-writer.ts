const FIRST_SIZE = 16 * 1024;
const LONGEST_NUMBER = 5;
const BYTES_OF_A_UNIT = 3;
const LOW_BITS = 0x7f;
const MORE = 0x80;
const FIRST_OTHER = 0x80;

/** Writes growing bytes: a number takes one byte for each seven bits, a text is UTF-8 behind its length. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #at = 0;

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  /** Writes a whole number from 0 to 2^31 - 1. */
  number(value: number): void {
    this.#room(LONGEST_NUMBER);
    let rest = value;
    while (rest > LOW_BITS) {
      this.#bytes[this.#at++] = (rest & LOW_BITS) | MORE;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  /** Writes a whole number that may be below 0; small ones are short on either side. */
  signed(value: number): void {
    this.number(((value << 1) ^ (value >> 31)) >>> 0);
  }

  text(text: string): void {
    this.part(text, 0, text.length);
  }

  /** Writes the units of a text from `from` to before `to`, as a text of their own. */
  part(text: string, from: number, to: number): void {
    this.#room(LONGEST_NUMBER + BYTES_OF_A_UNIT * (to - from));
    const start = this.#at;
    this.number(to - from);
    if (this.#isWritten(text, from, to)) return;
    const part = text.slice(from, to);
    this.#at = start;
    this.number(Buffer.byteLength(part));
    this.#at += this.#bytes.write(part, this.#at);
  }

  /** The written bytes, as a copy in memory of its own: it goes from thread to thread, and is kept. */
  written(): Buffer<ArrayBuffer> {
    const copy = Buffer.allocUnsafeSlow(this.#at);
    this.#bytes.copy(copy, 0, 0, this.#at);
    return copy;
  }

  /** Writes ASCII, as most words are, letter by letter; false at the first other letter. */
  #isWritten(text: string, from: number, to: number): boolean {
    const bytes = this.#bytes;
    const at = this.#at - from;
    for (let index = from; index < to; index++) {
      const code = text.charCodeAt(index);
      if (code >= FIRST_OTHER) return false;
      bytes[at + index] = code;
    }
    this.#at = at + to;
    return true;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#bytes.length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
