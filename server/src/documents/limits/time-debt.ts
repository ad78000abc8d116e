/** Milliseconds of a debt that are forgotten in each millisecond. */
const FORGOTTEN_SHARE = 0.25;
/** The most that a party can owe. With the two other figures it waits for 28 seconds at most. */
const MOST_MS = 15_000;
/** Debt above which a party waits before it begins anything. */
const LIMIT_MS = 8000;

interface Debt {
  readonly ms: number;
  readonly at: number;
}

/** The time that documents of a party have cost without being read, of which some is forgotten all the time. */
export class TimeDebt {
  readonly #debts = new Map<string, Debt>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(party: string, ms: number): void {
    if (party === '') return;
    for (const other of this.#debts.keys()) if (this.of(other) === 0) this.#debts.delete(other);
    this.#debts.set(party, { ms: Math.min(MOST_MS, this.of(party) + ms), at: this.#now() });
  }

  /** The debt in milliseconds; 0 for a party whose documents are in order. */
  of(party: string): number {
    const debt = this.#debts.get(party);
    return debt ? Math.max(0, debt.ms - (this.#now() - debt.at) * FORGOTTEN_SHARE) : 0;
  }

  /** Milliseconds for which the party has to wait before it may begin anything. */
  waitMs(party: string): number {
    return Math.max(0, this.of(party) - LIMIT_MS) / FORGOTTEN_SHARE;
  }
}
