import type { Permit } from '../../platform/concurrency/fair-semaphore.ts';
import type { DocumentClient } from '../limits/document-client.ts';

interface Waiter {
  readonly party: string;
  readonly bytes: number;
  readonly isLarge: boolean;
  readonly enter: () => void;
}

/**
 * Bytes of pictures that are decoded at once. An account holds half of the room at most, so that others' pictures do not
 * wait for its own. What is larger than that half counts as it does, and is the only one of its kind: large pictures of
 * all accounts come one after the other.
 */
export class DecodingMemory {
  readonly #total: number;
  readonly #each: number;
  /** As they came, but that an account goes behind all others when one of its own has come in. */
  #line: Waiter[] = [];
  readonly #held = new Map<string, number>();
  #taken = 0;
  #large = 0;

  constructor(totalBytes: number) {
    this.#total = totalBytes;
    this.#each = Math.ceil(totalBytes / 2);
  }

  /** Rejects with the signal's reason when that aborts first. */
  async take(bytes: number, { party = '', signal }: DocumentClient = {}): Promise<Permit> {
    signal?.throwIfAborted();
    return new Promise<Permit>((resolve, reject) => {
      const leave = () => {
        this.#line = this.#line.filter((other) => other !== waiter);
        reject(signal?.reason);
        this.#advance();
      };
      const waiter: Waiter = {
        party,
        bytes: Math.min(bytes, this.#each),
        isLarge: bytes > this.#each,
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#permit(waiter));
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#line.push(waiter);
      this.#advance();
    });
  }

  #advance(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { party } = next;
      const others = this.#line.filter((waiter) => waiter.party !== party);
      const own = this.#line.filter((waiter) => waiter.party === party && waiter !== next);
      this.#line = [...others, ...own];
      next.enter();
    }
  }

  /** Whoever only waits for the room keeps it for those behind as well: it would not come to be free otherwise. */
  #next(): Waiter | undefined {
    const passed = new Set<string>();
    for (const waiter of this.#line) {
      const { party, bytes, isLarge } = waiter;
      if (passed.has(party)) continue;
      const waitsForOwn = (this.#held.get(party) ?? 0) + bytes > this.#each;
      const waitsForLarge = isLarge && this.#large > 0;
      if (!waitsForOwn && !waitsForLarge) return this.#taken + bytes <= this.#total ? waiter : undefined;
      passed.add(party);
    }
    return undefined;
  }

  #permit({ party, bytes, isLarge }: Waiter): Permit {
    this.#count(party, bytes, isLarge ? 1 : 0);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      this.#count(party, -bytes, isLarge ? -1 : 0);
      this.#advance();
    };
    return { release, [Symbol.dispose]: release };
  }

  #count(party: string, bytes: number, large: number): void {
    const held = (this.#held.get(party) ?? 0) + bytes;
    if (held > 0) this.#held.set(party, held);
    else this.#held.delete(party);
    this.#taken += bytes;
    this.#large += large;
  }
}
