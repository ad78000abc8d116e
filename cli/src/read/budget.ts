/** The money that a run may still spend under `--max-cost`; without the option no limit. */
export class Budget {
  readonly #most: number | null;
  #taken = 0;

  constructor(most: number | null) {
    this.#most = most;
  }

  /** Takes the worst cost of a document; false where it does not fit any more, or is unknown. */
  take(worstUsd: number | null): boolean {
    if (this.#most === null) return true;
    if (worstUsd === null || this.#taken + worstUsd > this.#most + ROUNDING) return false;
    this.#taken += worstUsd;
    return true;
  }

  /** Replaces the worst cost of a document by what it has cost. */
  spent(worstUsd: number | null, costUsd: number): void {
    this.#taken += costUsd - (worstUsd ?? 0);
  }
}

/** Half a nano-dollar, in USD: sums of decimals are not exact. */
const ROUNDING = 5e-10;
