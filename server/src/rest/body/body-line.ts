/** Asks for a large body's place; true when it was given. */
type Admission = () => boolean;

interface Waiter {
  readonly admit: Admission;
  readonly enter: () => void;
}

/** The line of large bodies that wait for their place. Parties take turns; the waiting of each is limited. */
export class BodyLine {
  readonly #mostEach: number;
  readonly #parties = new Map<string, Waiter[]>();

  constructor(mostEach: number) {
    this.#mostEach = mostEach;
  }

  /** Resolves once `admit` gave the place; rejects with the signal's reason, and at once with `full` where the party's line is full. */
  async enter(party: string, admit: Admission, { signal, full }: { signal: AbortSignal; full: Error }): Promise<void> {
    signal.throwIfAborted();
    const line = this.#parties.get(party) ?? [];
    // Not past those of the same party that came first.
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

  /** Lets in those who fit now: the first of each party, and a party that had its turn goes to the end. */
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
