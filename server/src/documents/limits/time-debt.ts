/** So much of a debt is forgotten in every second. */
const FORGOTTEN_SHARE = 0.25;
/** The most that a party can owe, and so the longest that it waits: the time in which this much is forgotten. */
const MOST_MS = 15_000;
/** From here on a party does not begin anything. */
const LIMIT_MS = 8000;

interface Debt {
  readonly ms: number;
  readonly at: number;
}

/** The time that documents of a party have cost without being read, as it fades. */
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

  /** Milliseconds; 0 for a party whose documents are in order. */
  of(party: string): number {
    const debt = this.#debts.get(party);
    return debt ? Math.max(0, debt.ms - (this.#now() - debt.at) * FORGOTTEN_SHARE) : 0;
  }

  /** How long the party has to wait before it may begin anything. */
  waitMs(party: string): number {
    return Math.max(0, this.of(party) - LIMIT_MS) / FORGOTTEN_SHARE;
  }
}
