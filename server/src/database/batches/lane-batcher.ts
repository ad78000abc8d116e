import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { Batcher } from './batcher.ts';

/** Semaphores for gathered statements: one for light ones, one for those whose values take long to send and to write. */
export interface Lanes {
  readonly light: Semaphore;
  readonly heavy: Semaphore;
}

export function newLanes(...options: ConstructorParameters<typeof Semaphore>): Lanes {
  return { light: new Semaphore(...options), heavy: new Semaphore(...options) };
}

/** Least bytes of a heavy item: sending them takes longer than a statement of many light items. */
const HEAVY_BYTES = 256 * 1024;

type Run<Item, Answer> = ConstructorParameters<typeof Batcher<Item, Answer>>[0];
type Options<Item, Answer> = NonNullable<ConstructorParameters<typeof Batcher<Item, Answer>>[1]>;

/**
 * A batcher with two lanes, for light and for heavy items, so that light items do not wait for the bytes of heavy ones in the same
 * statement or before it.
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
