const LOW_BITS = 0x7f;
const MORE = 0x80;

/** Reads what a `ByteWriter` wrote. Throws a RangeError where the bytes end too early: they are not what was written. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw endedEarly();
    return byte;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & LOW_BITS) << shift;
      if (byte < MORE) return value >>> 0;
    }
  }

  signed(): number {
    const value = this.number();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Skips so many bytes, and answers the place where they begin. */
  skip(length: number): number {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw endedEarly();
    return from;
  }
}

function endedEarly(): RangeError {
  return new RangeError('the bytes end too early');
}
