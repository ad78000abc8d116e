/**
 * What a waiter needs beside its permit, taken together with it: a permit of that, or why there is none now. Others may
 * come before who is `passed`; nobody comes before who is `first`.
 */
export type Beside = () => Permit | 'passed' | 'first';

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

  /** Waits for a permit, and for what it needs beside; rejects with the signal's reason when it aborts first. */
  async acquire(signal: AbortSignal, party = '', beside?: Beside): Promise<Permit> {
    signal.throwIfAborted();
    const now = beside ? null : this.tryAcquire(party);
    if (now) return now;
    return new Promise<Permit>((resolve, reject) => {
      const waiter: Waiter = {
        beside,
        take: (other) => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.#permit(party, other));
        },
      };
      const onAbort = () => {
        this.#remove(party, waiter);
        this.advance(); // it may have been who kept the others waiting
        reject(signal.reason);
      };
      const line = this.#parties.get(party);
      if (line) line.push(waiter);
      else this.#parties.set(party, [waiter]);
      signal.addEventListener('abort', onAbort, { once: true });
      if (beside) this.advance();
    });
  }

  /** What somebody needs beside its permit may have come to be free. */
  advance(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#free--;
      next.waiter.take(next.other);
    }
  }

  #remove(party: string, waiter: Waiter): void {
    const line = this.#parties.get(party) ?? [];
    const at = line.indexOf(waiter);
    if (at >= 0) line.splice(at, 1);
    if (line.length === 0) this.#parties.delete(party);
  }

  /** The first of the party whose turn it is, with what it needs beside; the party goes to the end of the line. */
  #next(): { waiter: Waiter; other: Permit | undefined } | undefined {
    if (this.#free <= 0) return undefined;
    for (const [party, line] of this.#parties) {
      const [waiter] = line;
      if (!waiter || !this.#mayHold(party)) continue;
      const other = waiter.beside?.();
      if (other === 'passed') continue;
      if (other === 'first') return undefined;
      line.shift();
      this.#parties.delete(party);
      if (line.length > 0) this.#parties.set(party, line);
      return { waiter, other };
    }
    return undefined;
  }

  #mayHold(party: string): boolean {
    return this.#mostOf === undefined || (this.#held.get(party) ?? 0) < this.#mostOf(party);
  }

  #permit(party: string, other?: Permit): Permit {
    this.#count(party, 1);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      this.#count(party, -1);
      this.#free++;
      other?.release();
      this.advance();
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
  readonly beside: Beside | undefined;
  take(other: Permit | undefined): void;
}

export interface Permit extends Disposable {
  release(): void;
}
