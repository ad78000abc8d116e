const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
/** A length stands before what it is the length of, and is written afterwards: three bytes hold two millions. */
const LENGTH_BYTES = 3;
const TWO_TO_32 = 2 ** 32;
const ASCII_END = 0x80;

/**
 * Writes protobuf into a buffer, by index: half a dozen spans a request are too many for calls into native code, or for
 * objects in between. What does not fit is lost; `used` then says more than there are bytes, or nearly as many.
 */
export class ProtobufWriter {
  readonly bytes: Buffer;
  used = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** A whole number, from 0 to 2³² - 1. */
  number(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#varint(value);
  }

  text(field: number, value: string): void {
    const begun = this.begin(field);
    const { bytes } = this;
    let at = this.used;
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index);
      if (unit >= ASCII_END) {
        at += bytes.write(value.slice(index), Math.min(at, bytes.length));
        break;
      }
      bytes[at++] = unit;
    }
    this.used = at;
    this.end(begun);
  }

  /** A part of some bytes. */
  copy(field: number, from: Uint8Array, { at, end }: { readonly at: number; readonly end: number }): void {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(end - at);
    const { bytes } = this;
    let { used } = this;
    for (let index = at; index < end; index++) bytes[used++] = from[index] ?? 0;
    this.used = used;
  }

  /** A time in microseconds as one in nanoseconds, which a number cannot hold. */
  nanoseconds(field: number, microseconds: number): void {
    this.#tag(field, FIXED64);
    const high = Math.floor(microseconds / TWO_TO_32);
    const low = (microseconds - high * TWO_TO_32) * 1000;
    this.#word(low % TWO_TO_32);
    this.#word(high * 1000 + Math.floor(low / TWO_TO_32));
  }

  /** Begins a message within this one; what it gives is what `end` takes. */
  begin(field: number): number {
    this.#tag(field, LENGTH_DELIMITED);
    const at = this.used;
    this.used += LENGTH_BYTES;
    return at;
  }

  end(at: number): void {
    const length = this.used - at - LENGTH_BYTES;
    this.bytes[at] = (length & 0x7f) | 0x80;
    this.bytes[at + 1] = ((length >>> 7) & 0x7f) | 0x80;
    this.bytes[at + 2] = length >>> 14;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.used++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.used++] = rest;
  }

  #word(value: number): void {
    this.bytes[this.used++] = value;
    this.bytes[this.used++] = value >>> 8;
    this.bytes[this.used++] = value >>> 16;
    this.bytes[this.used++] = value >>> 24;
  }
}
