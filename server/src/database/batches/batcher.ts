import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { isOutage, isTooSlow } from '../outage.ts';
import type { Waits } from '../waits.ts';

/** The answer of `run` to one item. A promise that rejects fails this item and no other. */
type Answered<Answer> = Answer | Promise<Answer>;

/** The weight of an item (bytes, say), and the most that a batch may weigh. */
interface Weight<Item> {
  readonly of: (item: Item) => number;
  readonly max: number;
}

/** How often a batch is divided because it took too long: each time costs as much as a statement may take. */
const MAX_SLOW = 6;

/**
 * Gathers items into one statement: items that arrive in one turn of the event loop, or while the semaphore is taken, go
 * together. A single item waits only for the end of the turn, so gathering costs no latency; under load it is a group commit.
 * Batchers that would wait for each other's row locks share a semaphore: their batches are larger then.
 * One that starts small takes a single item after a pause, and then twice as many each time: items that came together because
 * they were answered together come apart again, where they would go on waiting for each other in one large batch.
 * A batch that fails because of what it holds is divided in halves until the item that causes it stands alone: only that one is
 * rejected, the others commit. An outage rejects all items; their callers know whether to try again.
 */
export class Batcher<Item, Answer> {
  readonly #run: (items: Item[]) => Promise<Answered<Answer>[]>;
  readonly #maxItems: number;
  readonly #weight: Weight<Item> | null;
  readonly #semaphore: Semaphore;
  readonly #waits: Waits | null;
  readonly #startsSmall: boolean;
  /** How many items the next batch may hold. */
  #room = Number.POSITIVE_INFINITY;
  #waiting: Waiting<Item, Answer>[] = [];
  #inLine = false;

  /**
   * `run` answers item by item, in order. It throws only where the statement has changed nothing; a failure after the commit is
   * the answer of an item. `waits` counts items while they wait. An item that is heavier than a batch may be goes alone.
   */
  constructor(
    run: (items: Item[]) => Promise<Answered<Answer>[]>,
    options: {
      maxItems?: number;
      weight?: Weight<Item>;
      semaphore?: Semaphore;
      waits?: Waits;
      startsSmall?: boolean;
    } = {},
  ) {
    this.#run = run;
    this.#maxItems = options.maxItems ?? 64;
    this.#weight = options.weight ?? null;
    this.#semaphore = options.semaphore ?? new Semaphore();
    this.#waits = options.waits ?? null;
    this.#startsSmall = options.startsSmall ?? false;
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject, ended: this.#waits?.begin() ?? noMatter });
      if (this.#inLine) return;
      this.#inLine = true;
      setImmediate(() => this.#begin());
    });
  }

  #begin(): void {
    if (this.#startsSmall && this.#semaphore.isIdle) this.#room = 1;
    this.#semaphore.enter(() => this.#send());
  }

  async #send(): Promise<void> {
    const batch = this.#waiting.splice(0, Math.min(this.#room, this.#fitting()));
    this.#room *= 2;
    this.#inLine = this.#waiting.length > 0;
    if (this.#inLine) this.#semaphore.enter(() => this.#send());
    await this.#sendAll(batch, { slow: 0 });
  }

  /** How many of the waiting items fit into one batch. */
  #fitting(): number {
    if (!this.#weight) return this.#maxItems;
    const { of, max } = this.#weight;
    let sum = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      sum += of(item);
      if (count === this.#maxItems || sum > max) break;
      count++;
    }
    return Math.max(1, count);
  }

  /** Sends a batch, in halves where it has to be divided. Never rejects: each item gets its answer or error. */
  async #sendAll(batch: readonly Waiting<Item, Answer>[], tried: { slow: number }): Promise<void> {
    try {
      const answers = await this.#run(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, i) => {
        waiting.ended();
        waiting.resolve(answers[i] as Answered<Answer>); // `run` promises one answer an item
      });
    } catch (error) {
      if (isTooSlow(error)) tried.slow++;
      if (batch.length === 1 || !isDivisible(error, tried)) {
        for (const waiting of batch) {
          waiting.ended();
          waiting.reject(error);
        }
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.#sendAll(batch.slice(0, half), tried);
      await this.#sendAll(batch.slice(half), tried);
    }
  }
}

/** Whether a part of the batch may succeed where the whole has failed. */
function isDivisible(error: unknown, { slow }: { slow: number }): boolean {
  return isTooSlow(error) ? slow <= MAX_SLOW : !isOutage(error);
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answered<Answer>): void;
  reject(error: unknown): void;
  /** Ends the count of a waiting item. */
  ended(): void;
}

function noMatter(): void {}
