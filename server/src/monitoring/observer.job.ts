import { type Pool, query } from '../database/pool.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { Log } from '../log.ts';
import type { HealthBook } from './health-book.ts';
import type { ProcessBook } from './process-book.ts';
import type { QueueHistory } from './queue-history.ts';
import type { StateBook } from './state-book.ts';

const EVERY_MS = 5000;

/** Whoever gets it looks for all; a second one in the same five seconds finds nothing to do. */
const TURN = {
  name: 'observer-turn',
  text: `update queue_sampler set sampled_at = now() where sampled_at <= now() - interval '4 seconds' returning 1 as mine`,
};

export interface ObserverDeps {
  readonly pool: Pool;
  readonly catalogue: Catalogue;
  readonly health: HealthBook;
  readonly queue: QueueHistory;
  readonly states: StateBook;
  /** Null in a process that does no work. */
  readonly process: ProcessBook | null;
  readonly log: Log;
}

/** Every five seconds: this process says that it lives, and one of all processes notes queue and engines. */
export class Observer implements AsyncDisposable {
  readonly #deps: ObserverDeps;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: ObserverDeps) {
    this.#deps = deps;
  }

  start(): void {
    const look = () => {
      this.#looking = this.look().catch((error) => this.#deps.log.warn({ err: error }, 'nothing was observed'));
    };
    this.#timer = setInterval(look, EVERY_MS).unref();
    look();
  }

  async look(): Promise<void> {
    const { pool, catalogue, health, queue, states, process } = this.#deps;
    await process?.beat();
    const mine = await query(pool, TURN, []);
    if (mine.length === 0) return;
    await queue.sample();
    await states.record(await health.of(catalogue.configured));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#deps.process?.leave().catch(() => undefined); // its silence tells the same, later
  }
}
