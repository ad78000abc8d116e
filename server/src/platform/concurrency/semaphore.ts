/** A line that tasks pass one by one (or `width` side by side), in the order in which they came. */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(width = 1) {
    this.#width = width;
  }

  /** Starts the task, which never rejects, as soon as there is room. */
  enter(task: () => Promise<void>): void {
    if (this.#running >= this.#width) this.#waiting.push(task);
    else this.#start(task);
  }

  #start(task: () => Promise<void>): void {
    this.#running++;
    void task().then(() => {
      this.#running--;
      const next = this.#waiting.shift();
      if (next) this.#start(next);
    });
  }
}
