/**
 * Takes a second permit that a waiter needs together with its first one. Where there is none now: `skip` lets other waiters go
 * first, `block` lets nobody go before this one, since they would take what it waits for.
 */
export type SecondPermit = () => Permit | 'skip' | 'block';

/**
 * A semaphore whose waiters take turns by `party`: a thousand of one party do not keep out a single one of another. With
 * `permitsEach` a party holds no more than that at once, however many are free.
 */
export class FairSemaphore {
  #free: number;
  readonly #parties = new Map<string, Waiter[]>();
  readonly #held = new Map<string, number>();
  readonly #permitsEach: ((party: string) => number) | undefined;

  constructor(permits: number, permitsEach?: (party: string) => number) {
    this.#free = permits;
    this.#permitsEach = permitsEach;
  }

  get free(): number {
    return this.#free;
  }

  /** A permit, where one is free now. */
  tryAcquire(party = ''): Permit | null {
    if (this.#free <= 0 || !this.#mayHold(party)) return null;
    this.#free--;
    return this.#permit(party);
  }

  /**
   * Waits for a permit, and for the second one if any, which is released with it. Rejects with the signal's reason when that
   * aborts.
   */
  async acquire(signal: AbortSignal, party = '', second?: SecondPermit): Promise<Permit> {
    signal.throwIfAborted();
    const now = second ? null : this.tryAcquire(party);
    if (now) return now;
    return new Promise<Permit>((resolve, reject) => {
      const waiter: Waiter = {
        second,
        take: (other) => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.#permit(party, other));
        },
      };
      const onAbort = () => {
        this.#remove(party, waiter);
        this.advance(); // this waiter may have blocked the others
        reject(signal.reason);
      };
      const line = this.#parties.get(party);
      if (line) line.push(waiter);
      else this.#parties.set(party, [waiter]);
      signal.addEventListener('abort', onAbort, { once: true });
      if (second) this.advance();
    });
  }

  /** Serves waiters again. To be called when a second permit may have become free. */
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

  /** The next waiter that can be served, with its second permit. Its party goes to the end of the line. */
  #next(): { waiter: Waiter; other: Permit | undefined } | undefined {
    if (this.#free <= 0) return undefined;
    for (const [party, line] of this.#parties) {
      const [waiter] = line;
      if (!waiter || !this.#mayHold(party)) continue;
      const other = waiter.second?.();
      if (other === 'skip') continue;
      if (other === 'block') return undefined;
      line.shift();
      this.#parties.delete(party);
      if (line.length > 0) this.#parties.set(party, line);
      return { waiter, other };
    }
    return undefined;
  }

  #mayHold(party: string): boolean {
    return this.#permitsEach === undefined || (this.#held.get(party) ?? 0) < this.#permitsEach(party);
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

  /** Counted only where it is limited. */
  #count(party: string, change: 1 | -1): void {
    if (this.#permitsEach === undefined) return;
    const held = (this.#held.get(party) ?? 0) + change;
    if (held > 0) this.#held.set(party, held);
    else this.#held.delete(party);
  }
}

interface Waiter {
  readonly second: SecondPermit | undefined;
  take(other: Permit | undefined): void;
}

export interface Permit extends Disposable {
  release(): void;
}
