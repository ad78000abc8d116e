/** What of a run may still be begun under `--max-cost`. */
export class Budget {
  readonly #most: number | null;
  #taken = 0;

  constructor(most: number | null) {
    this.#most = most;
  }

  /** Takes what a document may cost at worst; false where that does not fit any more. */
  take(worstUsd: number | null): boolean {
    if (this.#most === null) return true;
    if (worstUsd === null || this.#taken + worstUsd > this.#most + ROUNDING) return false;
    this.#taken += worstUsd;
    return true;
  }

  /** What it has cost. */
  spent(worstUsd: number | null, costUsd: number): void {
    this.#taken += costUsd - (worstUsd ?? 0);
  }
}

/** Half a nano-dollar: sums of decimals are not exact. */
const ROUNDING = 5e-10;
