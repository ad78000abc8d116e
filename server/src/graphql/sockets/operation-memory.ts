/** Most JSON characters of the documents and variables of an account's subscriptions. */
const MOST_OF_AN_ACCOUNT = 16 * 1024 * 1024;
/** What a subscription counts for at least: one with the smallest document keeps some 7 kB in all. */
const LEAST = 2048;

/** Counts the memory of running subscriptions by account: a document stays for as long as its subscription. */
export class OperationMemory {
  readonly #held = new Map<string, number>();

  /**
   * Takes memory for a subscription; null where there is not enough. `release` of the answer gives it back, and may be called
   * again.
   */
  take(accountId: string, textLength: number): { release(): void } | null {
    const size = Math.max(textLength, LEAST);
    const before = this.#held.get(accountId) ?? 0;
    if (before + size > MOST_OF_AN_ACCOUNT) return null;
    this.#held.set(accountId, before + size);
    let held = true;
    return {
      release: () => {
        if (!held) return;
        held = false;
        const left = (this.#held.get(accountId) ?? 0) - size;
        if (left > 0) this.#held.set(accountId, left);
        else this.#held.delete(accountId);
      },
    };
  }
}
