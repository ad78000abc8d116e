/** Tries to take the place for a large body; true where it was taken. */
type Admission = () => boolean;

interface Waiter {
  readonly admit: Admission;
  readonly enter: () => void;
}

/** The line of large bodies that wait for their place. Parties take turns; of each party a limited number may wait. */
export class BodyLine {
  readonly #mostEach: number;
  readonly #parties = new Map<string, Waiter[]>();

  constructor(mostEach: number) {
    this.#mostEach = mostEach;
  }

  /**
   * Resolves once `admit` answers true. Rejects with the signal's reason, or at once with `full` where `mostEach` of the party
   * wait already.
   */
  async enter(party: string, admit: Admission, { signal, full }: { signal: AbortSignal; full: Error }): Promise<void> {
    signal.throwIfAborted();
    const line = this.#parties.get(party) ?? [];
    // Bodies of one party keep their order.
    if (line.length === 0 && admit()) return;
    if (line.length >= this.#mostEach) throw full;
    this.#parties.set(party, line);
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        admit,
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        const at = line.indexOf(waiter);
        if (at >= 0) line.splice(at, 1);
        if (line.length === 0) this.#parties.delete(party);
        reject(signal.reason);
      };
      line.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Lets in bodies that fit now: at most the first of each party, and that party then goes to the end. */
  advance(): void {
    for (const [party, line] of [...this.#parties]) {
      const [first] = line;
      if (!first?.admit()) continue;
      line.shift();
      this.#parties.delete(party);
      if (line.length > 0) this.#parties.set(party, line);
      first.enter();
    }
  }
}
