import type { Permit } from '../../platform/concurrency/fair-semaphore.ts';

interface Waiter {
  readonly bytes: number;
  readonly enter: () => void;
}

/** Bytes of pictures that are decoded at once. What alone is larger than the room goes in alone. */
export class DecodingMemory {
  readonly #total: number;
  readonly #line: Waiter[] = [];
  #taken = 0;

  constructor(totalBytes: number) {
    this.#total = totalBytes;
  }

  /** Rejects with the signal's reason when that aborts first. */
  async take(bytes: number, signal: AbortSignal | undefined): Promise<Permit> {
    signal?.throwIfAborted();
    const wanted = Math.min(bytes, this.#total);
    if (this.#line.length === 0 && this.#fits(wanted)) return this.#permit(wanted);
    return new Promise<Permit>((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(signal?.reason);
        this.#advance();
      };
      const waiter: Waiter = {
        bytes: wanted,
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#permit(wanted));
        },
      };
      this.#line.push(waiter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #fits(bytes: number): boolean {
    return this.#taken + bytes <= this.#total;
  }

  #permit(bytes: number): Permit {
    this.#taken += bytes;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      this.#taken -= bytes;
      this.#advance();
    };
    return { release, [Symbol.dispose]: release };
  }

  #advance(): void {
    for (let first = this.#line[0]; first && this.#fits(first.bytes); first = this.#line[0]) {
      this.#line.shift();
      first.enter();
    }
  }
}
