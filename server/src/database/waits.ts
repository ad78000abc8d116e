/** Counts since when statements wait: in a batch, for a connection, or on one for their answer. */
export class Waits {
  /** Begin times in ms, in their order, so the first one is the oldest. */
  readonly #open = new Map<symbol, number>();

  /** Counts a statement that begins to wait; the result ends that. */
  begin(): () => void {
    const key = Symbol();
    this.#open.set(key, performance.now());
    return () => void this.#open.delete(key);
  }

  /** Milliseconds that the oldest one has waited; 0 where nothing waits. */
  oldestMs(): number {
    for (const since of this.#open.values()) return performance.now() - since;
    return 0;
  }
}
