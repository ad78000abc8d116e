/** Since when statements wait: in a batch, for a connection, or on one for their answer. */
export class Waits {
  /** In the order of their beginning, so the first one is the oldest. */
  readonly #open = new Map<symbol, number>();

  /** Something begins to wait; the result ends it. */
  begin(): () => void {
    const key = Symbol();
    this.#open.set(key, performance.now());
    return () => void this.#open.delete(key);
  }

  /** How long the oldest one has waited, in milliseconds; 0 when nothing waits. */
  oldestMs(): number {
    for (const since of this.#open.values()) return performance.now() - since;
    return 0;
  }
}
