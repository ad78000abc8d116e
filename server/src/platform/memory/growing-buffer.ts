const FIRST_BYTES = 16_384;

/** Bytes that come in pieces. Each of them kept by itself would take a hundred bytes more than it has. */
export class GrowingBuffer {
  #buffer = Buffer.alloc(0);
  #size = 0;
  #count = 0;

  /** Pieces so far. */
  get count(): number {
    return this.#count;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** A copy that takes no more memory than its bytes, for what is kept. */
  get copy(): Buffer {
    return Buffer.from(this.bytes);
  }

  push(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_BYTES, 2 * this.#buffer.length, size));
      this.#buffer.copy(grown, 0, 0, this.#size);
      this.#buffer = grown;
    }
    piece.copy(this.#buffer, this.#size);
    this.#size = size;
    this.#count++;
  }

  clear(): void {
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
  }
}
