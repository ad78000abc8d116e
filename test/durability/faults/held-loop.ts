import type { SeededRandom } from '../../house/seeded-random.ts';
import { until } from '../../house/until.ts';
import type { Absence } from '../mortal.ts';
import type { MortalProduct } from '../mortal-product.ts';
import type { Fault } from './fault.ts';

const ANSWER_MS = 1000;

export interface HeldLoopOptions {
  /** Processes that call engines. */
  readonly products: readonly MortalProduct[];
  readonly random: SeededRandom;
  readonly holdMs: number;
}

/**
 * The event loop of a process stands still while engines read for it. The process is restarted for it as an operator
 * does it: the fault point holds it once, at the first engine call of its life.
 */
export class HeldLoop implements Fault {
  readonly kind = 'held-loop';
  readonly blows: string[] = [];
  readonly crashes = [];
  readonly outages = [];
  readonly stops: Absence[] = [];
  readonly missed = [];
  readonly #options: HeldLoopOptions;

  constructor(options: HeldLoopOptions) {
    this.#options = options;
  }

  async strike(): Promise<void> {
    const { products, random, holdMs } = this.#options;
    const product = random.pick(products);
    await product.mortal.recovered();
    this.stops.push(await product.restart(`stall:${holdMs}`));
    const { url } = product.current;
    const isAnswering = () =>
      fetch(`${url}/livez`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
        (response) => response.status === 200,
        () => false,
      );
    await until('its event loop stands still', async () => !(await isAnswering()));
    const began = performance.now();
    await until('its event loop goes on', isAnswering);
    this.blows.push(`${product.mortal.kind} ${((performance.now() - began + ANSWER_MS) / 1000).toFixed(1)} s`);
  }

  async recovered(): Promise<void> {}
}
