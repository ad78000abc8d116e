/**
 * What becomes of a task that takes `times` as long as tasks usually do: it stands aside, as `most` may at once, and the next
 * one has its place. Never before `leastMs`, and after `mostMs` however long they take.
 */
export interface Overtaking {
  readonly times: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly most: number;
}

/** Of what a task takes, so much goes into what they usually take. */
const WEIGHT = 1 / 16;

/** A line that tasks pass one by one (or `width` side by side), in the order in which they came. */
export class Semaphore {
  readonly #width: number;
  readonly #overtaking: Overtaking | null;
  readonly #waiting: (() => Promise<void>)[] = [];
  /** Those that have a place, and those that stand aside. */
  #running = 0;
  #aside = 0;
  /** What a task takes, of those that did not stand aside. */
  #usualMs = Number.POSITIVE_INFINITY;

  constructor(width = 1, overtaking: Overtaking | null = null) {
    this.#width = width;
    this.#overtaking = overtaking;
  }

  /** Starts the task, which never rejects, as soon as there is room. */
  enter(task: () => Promise<void>): void {
    this.#waiting.push(task);
    this.#admit();
  }

  #admit(): void {
    while (this.#running < this.#width) {
      const task = this.#waiting.shift();
      if (!task) return;
      this.#start(task);
    }
  }

  #start(task: () => Promise<void>): void {
    const place = { isAside: false };
    this.#running++;
    const began = performance.now();
    const timer = this.#overtaking && setInterval(() => this.#standAside(place), this.#patienceMs(this.#overtaking));
    void task().then(() => {
      clearInterval(timer ?? undefined);
      if (place.isAside) this.#aside--;
      else {
        this.#running--;
        this.#learn(performance.now() - began);
      }
      this.#admit();
    });
  }

  #patienceMs({ times, leastMs, mostMs }: Overtaking): number {
    return Math.min(mostMs, Math.max(leastMs, times * this.#usualMs));
  }

  #learn(ms: number): void {
    const known = Number.isFinite(this.#usualMs);
    this.#usualMs = known ? this.#usualMs + WEIGHT * (ms - this.#usualMs) : ms;
  }

  /** Tried again as long as the task takes: another one may have come back. */
  #standAside(place: { isAside: boolean }): void {
    if (place.isAside || this.#aside >= (this.#overtaking?.most ?? 0)) return;
    place.isAside = true;
    this.#aside++;
    this.#running--;
    this.#admit();
  }
}
