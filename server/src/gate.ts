/** Permits for calls of one engine at once, first come, first served. */
export class Gate {
  #free: number;
  readonly #waiting: { take(): void; signal: AbortSignal; onAbort(): void }[] = [];

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
  async acquire(signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const now = this.tryAcquire();
    if (now) return now;
    return new Promise<Permit>((resolve, reject) => {
      const waiter = {
        signal,
        take: () => {
          signal.removeEventListener('abort', waiter.onAbort);
          resolve(this.#permit());
        },
        onAbort: () => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(signal.reason);
        },
      };
      this.#waiting.push(waiter);
      signal.addEventListener('abort', waiter.onAbort, { once: true });
    });
  }

  #permit(): Permit {
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next.take();
      else this.#free++;
    };
    return { release, [Symbol.dispose]: release };
  }
}

export interface Permit extends Disposable {
  release(): void;
}
