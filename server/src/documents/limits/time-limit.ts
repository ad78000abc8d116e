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
  /** What the work has had of the processor up to now, in milliseconds; this whole process's when absent. Null: not known. */
  readonly used?: () => number | null;
}

/** Aborts when the work has had its time. Time in which the event loop stood still does not count. */
export class TimeLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  #heldMs = 0;
  #processorMs = 0;

  constructor({ processorMs, clockMs, used = usedByProcess }: TimeLimits) {
    const before = used();
    let looked = this.#startedAt;
    this.#timer = setInterval(() => {
      const sinceMs = performance.now() - looked;
      looked += sinceMs;
      if (sinceMs > LATE_MS) this.#heldMs = Math.min(MOST_HELD_MS, this.#heldMs + sinceMs);
      const now = used();
      // Where the system does not say, it is as if it had been given all of it.
      const processor = before === null || now === null ? this.elapsedMs : Math.min(this.elapsedMs, now - before);
      this.#processorMs = Math.max(this.#processorMs, processor);
      if (this.elapsedMs >= clockMs || processor >= processorMs) this.#over.abort();
    }, LOOK_MS).unref();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** What the work has had of the processor. */
  get processorMs(): number {
    return this.#processorMs;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt - this.#heldMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function usedByProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
