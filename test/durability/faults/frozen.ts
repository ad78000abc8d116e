import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../house/seeded-random.ts';
import type { MortalProduct } from '../mortal-product.ts';
import type { Fault } from './fault.ts';

export interface FrozenOptions {
  readonly products: readonly MortalProduct[];
  readonly random: SeededRandom;
  /** How long one stands still. */
  readonly seconds: readonly [least: number, most: number];
}

/**
 * A whole process stands still, its heartbeat, too, and goes on: for the others it has died meanwhile, and what it does next it
 * does with leases that it has lost.
 */
export class Frozen implements Fault {
  readonly kind = 'frozen';
  readonly blows: string[] = [];
  readonly crashes = [];
  readonly outages = [];
  readonly stops = [];
  readonly missed = [];
  readonly #options: FrozenOptions;

  constructor(options: FrozenOptions) {
    this.#options = options;
  }

  async strike(): Promise<void> {
    const { products, random, seconds } = this.#options;
    const [least, most] = seconds;
    const product = random.pick(products);
    await product.mortal.recovered();
    const frozen = product.current;
    const ms = 1000 * least + random.below(1000 * (most - least) + 1);
    frozen.signal('SIGSTOP');
    await sleep(ms).finally(() => frozen.signal('SIGCONT'));
    this.blows.push(`${product.mortal.kind} ${(ms / 1000).toFixed(1)} s`);
  }

  async recovered(): Promise<void> {}
}
