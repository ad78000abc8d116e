/** The default rest after a run, in multiples of its duration: the work takes at most a twentieth of the time. */
const REST = 20;

/** Limits how often work is done: at most once in `everyMs`, and the more seldom the longer it takes. */
export class Throttle {
  readonly #everyMs: number;
  readonly #rest: number;
  readonly #mostMs: number;
  #next = 0;

  /** `rest`: the pause after a run, in multiples of its duration; at most `mostMs`. */
  constructor(everyMs: number, { rest = REST, mostMs = 120_000 }: { rest?: number; mostMs?: number } = {}) {
    this.#everyMs = everyMs;
    this.#rest = rest;
    this.#mostMs = mostMs;
  }

  /** Does the work, unless it was done too lately. */
  async look(work: () => Promise<void>): Promise<void> {
    if (performance.now() < this.#next) return;
    const started = performance.now();
    try {
      await work();
    } finally {
      const now = performance.now();
      this.#next = now + Math.max(this.#everyMs, Math.min(this.#mostMs, this.#rest * (now - started)));
    }
  }
}
