/** Permits for calls of one engine at once. Who waits takes turns by `party`: one's thousand do not keep out another's one. */
export class Gate {
  #free: number;
  readonly #parties = new Map<string, Waiter[]>();

  constructor(permits: number) {
    this.#free = permits;
  }

  get free(): number {
    return this.#free;
  }

  /** A permit now, or none. */
  tryAcquire(): Permit | null {
    if (this.#free <= 0) return null;
    this.#free--;
    return this.#permit();
  }

  /** Waits for a permit; rejects with the signal's reason when it aborts first. */
  async acquire(signal: AbortSignal, party = ''): Promise<Permit> {
    signal.throwIfAborted();
    const now = this.tryAcquire();
    if (now) return now;
    return new Promise<Permit>((resolve, reject) => {
      const waiter: Waiter = {
        take: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.#permit());
        },
      };
      const onAbort = () => {
        this.#remove(party, waiter);
        reject(signal.reason);
      };
      const line = this.#parties.get(party);
      if (line) line.push(waiter);
      else this.#parties.set(party, [waiter]);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #remove(party: string, waiter: Waiter): void {
    const line = this.#parties.get(party) ?? [];
    const at = line.indexOf(waiter);
    if (at >= 0) line.splice(at, 1);
    if (line.length === 0) this.#parties.delete(party);
  }

  /** The first of the party whose turn it is; the party goes to the end of the line. */
  #next(): Waiter | undefined {
    for (const [party, line] of this.#parties) {
      const waiter = line.shift();
      this.#parties.delete(party);
      if (line.length > 0) this.#parties.set(party, line);
      return waiter;
    }
    return undefined;
  }

  #permit(): Permit {
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      const next = this.#next();
      if (next) next.take();
      else this.#free++;
    };
    return { release, [Symbol.dispose]: release };
  }
}

interface Waiter {
  take(): void;
}

export interface Permit extends Disposable {
  release(): void;
}
