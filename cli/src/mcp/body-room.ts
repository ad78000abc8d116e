/** Bodies up to this many bytes always have room: nearly all calls are so short. */
const SHORT_BYTES = 16 * 1024;

/** The memory that the bodies of all calls may take together. One address may have a quarter of it. */
export class BodyRoom {
  readonly #totalBytes: number;
  readonly #taken = new Map<string, number>();

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** Takes room for a body, and answers the function that gives it back (to be called once); null where there is not enough. */
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
