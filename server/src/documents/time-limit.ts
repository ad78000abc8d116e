const LOOK_MS = 100;

export interface TimeLimits {
  /** Of the processor: a process that is kept from it by others has more time on the clock. */
  readonly processorMs: number;
  /** On the clock, in any case. */
  readonly clockMs: number;
}

/** Aborts when the work has had its time. `processorMs` counts what this whole process has used since. */
export class TimeLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();

  constructor({ processorMs, clockMs }: TimeLimits) {
    const before = process.cpuUsage();
    this.#timer = setInterval(() => {
      const used = process.cpuUsage(before);
      const processor = Math.min(this.elapsedMs, (used.user + used.system) / 1000);
      if (this.elapsedMs >= clockMs || processor >= processorMs) this.#over.abort();
    }, LOOK_MS).unref();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
