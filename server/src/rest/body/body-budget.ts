/** The bytes of a party that has no entry in the table. */
const NONE = 0;

export interface BudgetLimits {
  /** Most bytes of all parties together. */
  readonly totalBytes: number;
  /** Most bytes of one party. */
  readonly shareBytes: number;
}

/** Counts the bytes of request bodies that are in memory: in all, and by party. */
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

  /** Takes the bytes, and leaves `spareBytes` of the total to others. False, with nothing taken, where they do not fit. */
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
