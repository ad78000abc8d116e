import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseProxy } from '../../house/database-proxy.ts';
import type { SeededRandom } from '../../house/seeded-random.ts';
import type { Fault } from './fault.ts';

/** The steps of a request's life that are written down, each with the prepared statements that do it. */
const STEPS = {
  accept: ['accept-requests', 'accept-requests-again'],
  claim: ['lease-claim'],
  settle: ['settle-requests'],
  announce: ['settle-and-announce-requests', 'webhook-claim', 'webhook-close'],
} as const;

const MOST_PAUSE_MS = 600;
/** How long a statement is waited for: the process that makes it may be starting. */
const WAIT_MS = 15_000;
const POLL_MS = 20;

/** The database does what it is told, and the connection breaks before its answer arrives. */
export class LostAnswers implements Fault {
  readonly kind = 'lost-answers';
  readonly blows: string[] = [];
  readonly crashes = [];
  readonly #proxy: DatabaseProxy;
  readonly #random: SeededRandom;

  constructor(proxy: DatabaseProxy, random: SeededRandom) {
    this.#proxy = proxy;
    this.#random = random;
  }

  /** An answer of each step. */
  async strike(): Promise<void> {
    for (const [step, statements] of Object.entries(STEPS)) {
      await sleep(this.#random.below(MOST_PAUSE_MS));
      if (await this.#lose(this.#random.pick<string>(statements))) this.blows.push(step);
    }
  }

  async recovered(): Promise<void> {}

  async #lose(statement: string): Promise<boolean> {
    const trap = this.#proxy.trap(statement, 'lose-reply');
    const deadline = performance.now() + WAIT_MS;
    while (trap.struck === 0 && performance.now() < deadline) await sleep(POLL_MS);
    trap.release();
    return trap.struck > 0;
  }
}
