/** Rest after a look, in times of what it took, unless told otherwise: it then uses at most a twentieth of the time. */
const REST = 20;

/** How often something is looked at: not before `everyMs`, and the less often the longer it takes. */
export class Throttle {
  readonly #everyMs: number;
  readonly #rest: number;
  readonly #mostMs: number;
  #next = 0;

  /** `mostMs`: what is looked at then, however long it takes. */
  constructor(everyMs: number, { rest = REST, mostMs = 120_000 }: { rest?: number; mostMs?: number } = {}) {
    this.#everyMs = everyMs;
    this.#rest = rest;
    this.#mostMs = mostMs;
  }

  /** Looks, if it is time to. */
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
