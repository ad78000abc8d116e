import { Lane } from './lane.ts';

/**
 * Gathers what waits into one statement: what arrives in one turn of the event loop, and whatever arrives while the lane
 * is taken, leaves together. A single item waits for the end of the turn only, so gathering costs no latency; under
 * load it is a group commit. Gathers that would wait for each other's row locks share a lane: batches are larger then.
 */
export class Gather<Item, Answer> {
  readonly #run: (items: Item[]) => Promise<Answer[]>;
  readonly #maxItems: number;
  readonly #lane: Lane;
  #waiting: Waiting<Item, Answer>[] = [];
  #inLine = false;

  /** `run` answers item by item, in order; when it throws, every item of the batch fails with that error. */
  constructor(run: (items: Item[]) => Promise<Answer[]>, options: { maxItems?: number; lane?: Lane } = {}) {
    this.#run = run;
    this.#maxItems = options.maxItems ?? 64;
    this.#lane = options.lane ?? new Lane();
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#inLine) return;
      this.#inLine = true;
      setImmediate(() => this.#lane.enter(() => this.#send()));
    });
  }

  async #send(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#maxItems);
    this.#inLine = this.#waiting.length > 0;
    if (this.#inLine) this.#lane.enter(() => this.#send());
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
