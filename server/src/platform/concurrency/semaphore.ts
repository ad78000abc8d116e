/**
 * Lets the next task start while an unusually slow one still runs. A task is slow after `times` the usual duration, but not before
 * `leastMs`, and in any case after `mostMs`. At most `most` slow tasks run beside the others at once.
 */
export interface Overtaking {
  readonly times: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly most: number;
}

/** The weight of the newest task in the moving average of their durations. */
const WEIGHT = 1 / 16;

/** Runs tasks in the order in which they came, `width` of them at once. */
export class Semaphore {
  readonly #width: number;
  readonly #overtaking: Overtaking | null;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  /** Slow tasks, whose places were given to others. */
  #aside = 0;
  /** The moving average of the durations of tasks that were not slow. */
  #usualMs = Number.POSITIVE_INFINITY;

  constructor(width = 1, overtaking: Overtaking | null = null) {
    this.#width = width;
    this.#overtaking = overtaking;
  }

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
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

  /** Called again and again while the task runs: another slow one may have ended meanwhile. */
  #standAside(place: { isAside: boolean }): void {
    if (place.isAside || this.#aside >= (this.#overtaking?.most ?? 0)) return;
    place.isAside = true;
    this.#aside++;
    this.#running--;
    this.#admit();
  }
}
