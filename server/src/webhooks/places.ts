/** Numbers of deliveries that are under way in this process, by receiver, by account and by both. */
export interface Busy {
  readonly receivers: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, number>;
  /** Counts for one account at one receiver; keys by `lineOf`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** The key of one account's deliveries to one receiver. */
function lineOf({ origin, accountId }: { origin: string; accountId: string }): string {
  return `${accountId} ${origin}`;
}

/** The deliveries that are under way in this process. */
export class Places {
  readonly #receivers = new Map<string, number>();
  readonly #accounts = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get busy(): Busy {
    return { receivers: this.#receivers, accounts: this.#accounts, lines: this.#lines };
  }

  /** Counts a delivery until the result is disposed of. */
  take(delivery: { origin: string; accountId: string }): Disposable {
    const count = (change: 1 | -1) => {
      this.#total += change;
      add(this.#receivers, delivery.origin, change);
      add(this.#accounts, delivery.accountId, change);
      add(this.#lines, lineOf(delivery), change);
    };
    count(1);
    return { [Symbol.dispose]: () => count(-1) };
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
