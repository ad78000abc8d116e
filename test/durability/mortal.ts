/** What a site consists of, by what the figures call it. */
export type Kind = 'all-in-one' | 'api' | 'worker' | 'redis' | 'postgres';

/** A time in which something was not there, milliseconds since 1970. */
export interface Absence {
  readonly from: number;
  readonly until: number;
}

/** A process that may be killed at any time, and what is supposed to start it again. */
export class Mortal {
  readonly kind: Kind;
  /** From each death to the next answer. */
  readonly deaths: Absence[] = [];
  readonly #kill: () => Promise<void> | void;
  readonly #revive: () => Promise<void>;
  #healthy: Promise<void> = Promise.resolve();
  #isHealthy = true;

  /** `revive` resolves when the process, or the one in its place, answers. */
  constructor(kind: Kind, life: { kill: () => Promise<void> | void; revive: () => Promise<void> }) {
    this.kind = kind;
    this.#kill = life.kill;
    this.#revive = life.revive;
  }

  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Resolves once it is dead; it recovers meanwhile. */
  async kill(): Promise<void> {
    this.#isHealthy = false;
    const from = Date.now();
    await this.#kill();
    this.#healthy = this.#revive().then(() => {
      this.deaths.push({ from, until: Date.now() });
      this.#isHealthy = true;
    });
    this.#healthy.catch(() => undefined); // whoever waits for its recovery is told
  }

  recovered(): Promise<void> {
    return this.#healthy;
  }
}
