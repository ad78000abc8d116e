/**
 * Permits for calls of one engine at once. Who waits takes turns by `party`: one's thousand do not keep out another's
 * one. With `mostOf` a party holds no more than that at once, however many are free.
 */
export class FairSemaphore {
  #free: number;
  readonly #parties = new Map<string, Waiter[]>();
  readonly #held = new Map<string, number>();
  readonly #mostOf: ((party: string) => number) | undefined;

  constructor(permits: number, mostOf?: (party: string) => number) {
    this.#free = permits;
    this.#mostOf = mostOf;
  }

  get free(): number {
    return this.#free;
  }

  /** A permit now, or none. */
  tryAcquire(party = ''): Permit | null {
    if (this.#free <= 0 || !this.#mayHold(party)) return null;
    this.#free--;
    return this.#permit(party);
  }

  /** Waits for a permit; rejects with the signal's reason when it aborts first. */
  async acquire(signal: AbortSignal, party = ''): Promise<Permit> {
    signal.throwIfAborted();
    const now = this.tryAcquire(party);
    if (now) return now;
    return new Promise<Permit>((resolve, reject) => {
      const waiter: Waiter = {
        take: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.#permit(party));
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
      if (!this.#mayHold(party)) continue;
      const waiter = line.shift();
      this.#parties.delete(party);
      if (line.length > 0) this.#parties.set(party, line);
      return waiter;
    }
    return undefined;
  }

  #mayHold(party: string): boolean {
    return this.#mostOf === undefined || (this.#held.get(party) ?? 0) < this.#mostOf(party);
  }

  #permit(party: string): Permit {
    this.#count(party, 1);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      this.#count(party, -1);
      this.#free++;
      while (this.#free > 0) {
        const next = this.#next();
        if (!next) return;
        this.#free--;
        next.take();
      }
    };
    return { release, [Symbol.dispose]: release };
  }

  /** What each party holds matters only where that is limited. */
  #count(party: string, change: 1 | -1): void {
    if (this.#mostOf === undefined) return;
    const held = (this.#held.get(party) ?? 0) + change;
    if (held > 0) this.#held.set(party, held);
    else this.#held.delete(party);
  }
}

interface Waiter {
  take(): void;
}

export interface Permit extends Disposable {
  release(): void;
}
