const FIRST_SIZE = 4 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BLANK = 0x20;
const ZERO = 0x30;
const POINT = 0x2e;
/** The longest that a byte of a text becomes: `\u001f`. */
const LONGEST_ESCAPE = 6;
/** Of a number that is written digit by digit. */
const LONGEST_NUMBER = 12;
const LARGEST = 999_999_999;
/** What control characters are written as, which a text of a page hardly has. */
const ESCAPES = Array.from({ length: BLANK }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

/** JSON that is written as bytes into memory that grows, as `JSON.stringify` writes it. */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #at = 0;

  get length(): number {
    return this.#at;
  }

  clear(): void {
    this.#at = 0;
  }

  /** What was written: the same memory, until the next that is written. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Bytes as they are: a few, one by one. */
  raw(source: Uint8Array): void {
    this.#room(source.length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < source.length; index++) bytes[at + index] = source[index] ?? 0;
    this.#at = at + source.length;
  }

  /** What another one has written. */
  append(other: JsonBytes): void {
    this.#room(other.length);
    this.#at += other.#bytes.copy(this.#bytes, this.#at, 0, other.length);
  }

  /** A part of bytes that are UTF-8, as it stands in a string. */
  text(source: Uint8Array, from: number, to: number): void {
    this.#room(LONGEST_ESCAPE * (to - from));
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = from; index < to; index++) {
      const byte = source[index] ?? 0;
      if (byte >= BLANK && byte !== QUOTE && byte !== BACKSLASH) bytes[at++] = byte;
      else if (byte < BLANK) at += ESCAPES[byte]?.copy(bytes, at) ?? 0;
      else {
        bytes[at++] = BACKSLASH;
        bytes[at++] = byte;
      }
    }
    this.#at = at;
  }

  integer(value: number): void {
    if (value >= 0 && value <= LARGEST) this.#digits(value);
    else this.#other(value);
  }

  /** `value / 10 ** digits`: fractions below 1 of up to six digits are as short as they stand here. */
  fraction(value: number, digits: number): void {
    const whole = 10 ** digits;
    if (value > 0 && value < whole) this.#belowOne(value, digits);
    else this.#other(value / whole);
  }

  #digits(value: number): void {
    this.#room(LONGEST_NUMBER);
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    writeDigits(this.#bytes, this.#at, { value, digits });
    this.#at += digits;
  }

  #belowOne(value: number, digits: number): void {
    this.#room(LONGEST_NUMBER);
    const bytes = this.#bytes;
    const at = this.#at;
    bytes[at] = ZERO;
    bytes[at + 1] = POINT;
    writeDigits(bytes, at + 2, { value, digits });
    let end = at + 2 + digits;
    while (bytes[end - 1] === ZERO) end--;
    this.#at = end;
  }

  #other(value: number): void {
    const text = JSON.stringify(value);
    this.#room(text.length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#bytes.length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function writeDigits(bytes: Uint8Array, at: number, { value, digits }: { value: number; digits: number }): void {
  let rest = value;
  for (let index = at + digits - 1; index >= at; index--) {
    const tenth = (rest / 10) | 0;
    bytes[index] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
}
