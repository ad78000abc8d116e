/** Parties with something to pay are remembered; from so many on the ones who have paid are looked for. */
const FEW = 1000;

export interface ByteRateOptions {
  /** Bytes that a party may send at once. */
  readonly burst: number;
  /** Bytes a second after that. */
  readonly perSecond: number;
}

/** A token bucket of bytes for each party: says for how long a party should not be read from. */
export class ByteRate {
  readonly #options: ByteRateOptions;
  readonly #spent = new Map<string, { bytes: number; atMs: number }>();
  #sweepAt = FEW;

  constructor(options: ByteRateOptions) {
    this.#options = options;
  }

  /** Counts bytes that have come; answers the milliseconds until the party is within its rate again, often 0. */
  take(party: string, bytes: number, nowMs = performance.now()): number {
    const { burst, perSecond } = this.#options;
    const spent = this.#left(party, nowMs) + bytes;
    if (!this.#spent.has(party) && this.#spent.size >= this.#sweepAt) this.#sweep(nowMs);
    this.#spent.set(party, { bytes: spent, atMs: nowMs });
    return Math.max(0, ((spent - burst) / perSecond) * 1000);
  }

  #left(party: string, nowMs: number): number {
    const known = this.#spent.get(party);
    if (!known) return 0;
    return Math.max(0, known.bytes - ((nowMs - known.atMs) * this.#options.perSecond) / 1000);
  }

  #sweep(nowMs: number): void {
    for (const party of this.#spent.keys()) if (this.#left(party, nowMs) === 0) this.#spent.delete(party);
    this.#sweepAt = Math.max(FEW, 2 * this.#spent.size);
  }
}
