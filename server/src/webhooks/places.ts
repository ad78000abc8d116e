/** Deliveries that are under way, counted by receiver. */
export class Places {
  readonly #busy = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get byReceiver(): ReadonlyMap<string, number> {
    return this.#busy;
  }

  /** Takes a place at a receiver, until it is disposed of. */
  take(origin: string): Disposable {
    this.#count(origin, 1);
    return { [Symbol.dispose]: () => this.#count(origin, -1) };
  }

  #count(origin: string, change: 1 | -1): void {
    this.#total += change;
    const busy = (this.#busy.get(origin) ?? 0) + change;
    if (busy > 0) this.#busy.set(origin, busy);
    else this.#busy.delete(origin);
  }
}
