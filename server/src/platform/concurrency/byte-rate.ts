import { ExpiringMap } from './expiring-map.ts';

export interface ByteRateOptions {
  /** Bytes that a party may send at once. */
  readonly burst: number;
  /** Bytes a second after that. */
  readonly perSecond: number;
}

/** A token bucket of bytes for each party: answers how long a party has to wait. */
export class ByteRate {
  readonly #options: ByteRateOptions;
  /** The time at which each party would have sent all its bytes at the rate; a party is forgotten after it. */
  readonly #sentBy = new ExpiringMap<string, number>();

  constructor(options: ByteRateOptions) {
    this.#options = options;
  }

  /** Counts bytes; answers how many milliseconds the party has to wait to be within its rate again, often 0. */
  take(party: string, bytes: number, nowMs = performance.now()): number {
    const { burst, perSecond } = this.#options;
    const sentByMs = (this.#sentBy.get(party, nowMs) ?? nowMs) + (bytes / perSecond) * 1000;
    if (sentByMs > nowMs) this.#sentBy.set(party, sentByMs, sentByMs, nowMs);
    return Math.max(0, sentByMs - nowMs - (burst / perSecond) * 1000);
  }

  /** Takes back bytes that were counted, but did not come. */
  giveBack(party: string, bytes: number, nowMs = performance.now()): void {
    const sentByMs = this.#sentBy.get(party, nowMs);
    if (sentByMs === undefined) return;
    const leftMs = sentByMs - (bytes / this.#options.perSecond) * 1000;
    this.#sentBy.set(party, leftMs, leftMs, nowMs);
  }
}
