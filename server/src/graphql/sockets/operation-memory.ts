/** What the documents and variables of an account's subscriptions may take, as JSON characters. */
const MOST_OF_AN_ACCOUNT = 16 * 1024 * 1024;

/** Counts what running subscriptions keep in memory, by account: a document stays for as long as its subscription. */
export class OperationMemory {
  readonly #held = new Map<string, number>();

  /** Whether there is room; what was taken is given back by the answer's `release`, which may be called again. */
  take(accountId: string, size: number): { release(): void } | null {
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
