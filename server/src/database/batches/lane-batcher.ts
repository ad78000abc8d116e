import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { Batcher } from './batcher.ts';

/** What gathered statements pass one after the other: light ones, and those whose values take long to send and to write. */
export interface Lanes {
  readonly light: Semaphore;
  readonly heavy: Semaphore;
}

export function newLanes(...options: ConstructorParameters<typeof Semaphore>): Lanes {
  return { light: new Semaphore(...options), heavy: new Semaphore(...options) };
}

/** Of an item: its bytes take longer than a statement of many light ones. */
const HEAVY_BYTES = 256 * 1024;

type Run<Item, Answer> = ConstructorParameters<typeof Batcher<Item, Answer>>[0];
type Options<Item, Answer> = NonNullable<ConstructorParameters<typeof Batcher<Item, Answer>>[1]>;

/**
 * A batcher with a lane for heavy items beside that of the light ones, which would wait for the bytes of others: those that go
 * in the same statement, and all that stand behind it.
 */
export class LaneBatcher<Item, Answer> {
  readonly #bytesOf: (item: Item) => number;
  readonly #light: Batcher<Item, Answer>;
  readonly #heavy: Batcher<Item, Answer>;

  constructor(
    run: Run<Item, Answer>,
    {
      lanes,
      weight,
      ...options
    }: Omit<Options<Item, Answer>, 'semaphore' | 'weight'> & {
      lanes: Lanes;
      weight: NonNullable<Options<Item, Answer>['weight']>;
    },
  ) {
    this.#bytesOf = weight.of;
    this.#light = new Batcher(run, { ...options, weight, semaphore: lanes.light });
    this.#heavy = new Batcher(run, { ...options, weight, semaphore: lanes.heavy });
  }

  add(item: Item): Promise<Answer> {
    return (this.#bytesOf(item) < HEAVY_BYTES ? this.#light : this.#heavy).add(item);
  }
}
