/** A party's bytes below this are not worth a place in the table. */
const NONE = 0;

export interface BudgetLimits {
  /** Of all parties together. */
  readonly totalBytes: number;
  /** Of one party. */
  readonly shareBytes: number;
}

/** Counts the bytes of request bodies that are in memory while they are received: in all, and by who sends them. */
export class BodyBudget {
  readonly #limits: BudgetLimits;
  readonly #byParty = new Map<string, number>();
  #taken = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  get takenBytes(): number {
    return this.#taken;
  }

  /** Takes the bytes, leaving `spareBytes` of the total to others; false, and nothing taken, where they do not fit. */
  take(party: string, bytes: number, spareBytes = 0): boolean {
    const own = (this.#byParty.get(party) ?? NONE) + bytes;
    const { totalBytes, shareBytes } = this.#limits;
    if (own > shareBytes || this.#taken + bytes > totalBytes - spareBytes) return false;
    this.#byParty.set(party, own);
    this.#taken += bytes;
    return true;
  }

  give(party: string, bytes: number): void {
    const left = (this.#byParty.get(party) ?? NONE) - bytes;
    if (left > NONE) this.#byParty.set(party, left);
    else this.#byParty.delete(party);
    this.#taken -= bytes;
  }
}
