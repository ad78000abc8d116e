/**
 * Gathers what waits into one statement: what arrives in one turn of the event loop, and whatever arrives while a batch
 * runs, leaves together. A single item waits for the end of the turn only, so gathering costs no latency; under load it
 * is a group commit.
 */
export class Gather<Item, Answer> {
  readonly #run: (items: Item[]) => Promise<Answer[]>;
  readonly #maxItems: number;
  readonly #maxLanes: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #running = 0;

  /** `run` answers item by item, in order; when it throws, every item of the batch fails with that error. */
  constructor(run: (items: Item[]) => Promise<Answer[]>, options: { maxItems?: number; lanes?: number } = {}) {
    this.#run = run;
    this.#maxItems = options.maxItems ?? 64;
    this.#maxLanes = options.lanes ?? 1;
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length === 1 && this.#running < this.#maxLanes) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    if (this.#waiting.length === 0 || this.#running >= this.#maxLanes) return;
    const batch = this.#waiting.splice(0, this.#maxItems);
    this.#running++;
    void this.#settle(batch).finally(() => {
      this.#running--;
      this.#send();
    });
  }

  async #settle(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, i) => {
        waiting.resolve(answers[i] as Answer); // `run` promises one answer an item
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}
