const LOOK_MS = 100;
/** Lateness of a look from which on the event loop stood still: nothing could begin, and an answer may wait. */
const LATE_MS = 10 * LOOK_MS;
/**
 * Most time that is not counted because the event loop stood still: one that does so again and again must not put off the end for
 * ever.
 */
const MOST_HELD_MS = 60_000;

export interface TimeLimits {
  /** Limit of processor time: a process that others keep from the processor has more time on the clock. */
  readonly processorMs: number;
  /** Limit on the clock, in any case. */
  readonly clockMs: number;
  /**
   * Processor time in milliseconds that the work has had so far; null where it is unknown. That of this whole process unless
   * given.
   */
  readonly used?: () => number | null;
}

/** Aborts its signal when the work has had its time. Time in which the event loop stood still does not count. */
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
      // Where processor time is unknown, the work is counted as if it had been given all of it.
      const processor = before === null || now === null ? this.elapsedMs : Math.min(this.elapsedMs, now - before);
      this.#processorMs = Math.max(this.#processorMs, processor);
      if (this.elapsedMs >= clockMs || processor >= processorMs) this.#over.abort();
    }, LOOK_MS).unref();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Processor time in milliseconds that the work has had. */
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
