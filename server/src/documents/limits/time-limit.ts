const LOOK_MS = 100;
/** A look that comes so late tells that the event loop stood still: nothing could begin, and an answer may wait. */
const LATE_MS = 10 * LOOK_MS;
/** A loop that stands still again and again does not put off the end for ever. */
const MOST_HELD_MS = 60_000;

export interface TimeLimits {
  /** Of the processor: a process that is kept from it by others has more time on the clock. */
  readonly processorMs: number;
  /** On the clock, in any case. */
  readonly clockMs: number;
}

/**
 * Aborts when the work has had its time. `processorMs` counts what this whole process has used since. Time in which
 * the event loop stood still does not count.
 */
export class TimeLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  #heldMs = 0;

  constructor({ processorMs, clockMs }: TimeLimits) {
    const before = process.cpuUsage();
    let looked = this.#startedAt;
    this.#timer = setInterval(() => {
      const sinceMs = performance.now() - looked;
      looked += sinceMs;
      if (sinceMs > LATE_MS) this.#heldMs = Math.min(MOST_HELD_MS, this.#heldMs + sinceMs);
      const used = process.cpuUsage(before);
      const processor = Math.min(this.elapsedMs, (used.user + used.system) / 1000);
      if (this.elapsedMs >= clockMs || processor >= processorMs) this.#over.abort();
    }, LOOK_MS).unref();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt - this.#heldMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
