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
/** How long the statement is waited for that was chosen: not every run makes each. */
const CHOSEN_MS = 10_000;
/** How long any of its step is waited for then: the process that makes it may be starting. */
const WAIT_MS = 60_000;
const POLL_MS = 20;

/** The database does what it is told, and the connection breaks before its answer arrives. */
export class LostAnswers implements Fault {
  readonly kind = 'lost-answers';
  readonly blows: string[] = [];
  readonly crashes = [];
  readonly outages = [];
  readonly stops = [];
  readonly #proxy: DatabaseProxy;
  readonly #random: SeededRandom;

  constructor(proxy: DatabaseProxy, random: SeededRandom) {
    this.#proxy = proxy;
    this.#random = random;
  }

  /** The steps of which no answer was lost. */
  get missed(): string[] {
    return Object.keys(STEPS).filter((step) => !this.blows.includes(step));
  }

  /** An answer of each step. */
  async strike(): Promise<void> {
    for (const [step, statements] of Object.entries<readonly string[]>(STEPS)) {
      await sleep(this.#random.below(MOST_PAUSE_MS));
      const chosen = this.#random.pick(statements);
      if ((await this.#lose([chosen], CHOSEN_MS)) || (await this.#lose(statements, WAIT_MS))) this.blows.push(step);
    }
  }

  async recovered(): Promise<void> {}

  /** The answer of whichever is made first; false where none is within that time. */
  async #lose(statements: readonly string[], waitMs: number): Promise<boolean> {
    const traps = statements.map((statement) => this.#proxy.trap(statement, 'lose-reply'));
    const hasStruck = () => traps.some(({ struck }) => struck > 0);
    const deadline = performance.now() + waitMs;
    while (!hasStruck() && performance.now() < deadline) await sleep(POLL_MS);
    for (const trap of traps) trap.release();
    return hasStruck();
  }
}
