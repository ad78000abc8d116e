/** Gives each piece of a party's work a turn of the event loop of its own, where several come at once. */
export class SingleTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves at once for the first, and for each other one a turn after the one before it. */
  async next(party: string): Promise<void> {
    const before = this.#last.get(party);
    const over = (before ?? Promise.resolve()).then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    this.#last.set(party, over);
    void over.then(() => {
      if (this.#last.get(party) === over) this.#last.delete(party);
    });
    await before;
  }
}
