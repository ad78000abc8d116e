import type { Permit } from '../../platform/concurrency/fair-semaphore.ts';

/**
 * The memory for pictures that are decoded at once. An account holds half of it at most, so that others' pictures do not wait for
 * its own. A picture that needs more than half counts as half, and only one such picture is decoded at a time, whoever sent it.
 */
export class DecodingMemory {
  readonly #total: number;
  readonly #each: number;
  readonly #onFree: () => void;
  readonly #held = new Map<string, number>();
  #taken = 0;
  #large = 0;

  constructor(totalBytes: number, onFree: () => void) {
    this.#total = totalBytes;
    this.#each = Math.ceil(totalBytes / 2);
    this.#onFree = onFree;
  }

  /**
   * Takes a permit for so many bytes, or tells what becomes of the waiter (see `SecondPermit`). Where its own party's pictures or
   * another large one take the room, it is skipped. Where only free room is missing, it blocks the line: others would take the
   * room as it comes.
   */
  take(bytes: number, party = ''): Permit | 'skip' | 'block' {
    const isLarge = bytes > this.#each;
    const counted = Math.min(bytes, this.#each);
    const waitsForOwn = (this.#held.get(party) ?? 0) + counted > this.#each;
    if (waitsForOwn || (isLarge && this.#large > 0)) return 'skip';
    if (this.#taken + counted > this.#total) return 'block';
    const large = isLarge ? 1 : 0;
    this.#count(party, counted, large);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      this.#count(party, -counted, -large);
      this.#onFree();
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
