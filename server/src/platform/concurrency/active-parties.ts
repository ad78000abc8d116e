const LATELY_MS = 5000;

interface Party {
  readonly name: string;
  readonly calledAtMs: number;
}

const NOBODY: Party = { name: '', calledAtMs: Number.NEGATIVE_INFINITY };

/** The parties that have called in the last seconds: work of one party is slowed down only where it could delay another one's. */
export class ActiveParties {
  #latest = NOBODY;
  /** The latest of another name. */
  #other = NOBODY;

  note(name: string, nowMs = performance.now()): void {
    if (name !== this.#latest.name) this.#other = this.#latest;
    this.#latest = { name, calledAtMs: nowMs };
  }

  hasOthers(name: string, nowMs = performance.now()): boolean {
    const other = this.#latest.name === name ? this.#other : this.#latest;
    return nowMs - other.calledAtMs < LATELY_MS;
  }
}
