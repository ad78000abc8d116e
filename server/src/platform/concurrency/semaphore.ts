/** What becomes of a task that takes long: it stands aside, as `most` may at once, and the next one has its place. */
interface Overtaking {
  readonly afterMs: number;
  readonly most: number;
}

/** A line that tasks pass one by one (or `width` side by side), in the order in which they came. */
export class Semaphore {
  readonly #width: number;
  readonly #overtaking: Overtaking | null;
  readonly #waiting: (() => Promise<void>)[] = [];
  /** Those that have a place, and those that stand aside. */
  #running = 0;
  #aside = 0;

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
    const timer = this.#overtaking && setInterval(() => this.#standAside(place), this.#overtaking.afterMs);
    void task().then(() => {
      clearInterval(timer ?? undefined);
      if (place.isAside) this.#aside--;
      else this.#running--;
      this.#admit();
    });
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
