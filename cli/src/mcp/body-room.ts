/** Nearly all calls are this short, and always have room. */
const SHORT_BYTES = 16 * 1024;

/** What the bodies of calls may take in memory, all together; one address has a quarter of it. */
export class BodyRoom {
  readonly #totalBytes: number;
  readonly #taken = new Map<string, number>();

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** Null where there is none; what was taken is given back by the answer, once. */
  take(address: string, bytes: number): (() => void) | null {
    if (bytes <= SHORT_BYTES) return () => undefined;
    const own = this.#taken.get(address) ?? 0;
    const all = [...this.#taken.values()].reduce((sum, each) => sum + each, 0);
    if (own + bytes > this.#totalBytes / 4 || all + bytes > this.#totalBytes) return null;
    this.#taken.set(address, own + bytes);
    return () => this.#give(address, bytes);
  }

  #give(address: string, bytes: number): void {
    const left = (this.#taken.get(address) ?? 0) - bytes;
    if (left > 0) this.#taken.set(address, left);
    else this.#taken.delete(address);
  }
}
