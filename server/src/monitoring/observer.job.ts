import { type Pool, query } from '../database/pool.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { Periodic } from '../platform/concurrency/periodic.ts';
import type { Log } from '../platform/logging/log.ts';
import { VERSION } from '../platform/version.ts';
import type { DeploymentLog } from './deployments.ts';
import type { EngineStateLog } from './probes/engine-state-log.ts';
import type { HealthStore } from './probes/health-store.ts';
import type { ProcessStore } from './processes.ts';
import type { QueueHistory } from './queue/queue-history.ts';

const EVERY_MS = 5000;

/** Takes the turn to look for all processes; a second one in the same five seconds gets none. */
const TURN = {
  name: 'observer-turn',
  text: `update queue_sampler set sampled_at = now() where sampled_at <= now() - interval '4 seconds' returning 1 as mine`,
};

export interface ObserverDeps {
  readonly pool: Pool;
  readonly catalogue: Catalogue;
  readonly health: HealthStore;
  readonly queue: QueueHistory;
  readonly states: EngineStateLog;
  readonly deployments: DeploymentLog;
  /** The record of this process; null where it does no work. */
  readonly process: ProcessStore | null;
  readonly log: Log;
}

/** Every five seconds this process notes that it lives, and one of all processes notes queue and engines. */
export class Observer implements AsyncDisposable {
  readonly #deps: ObserverDeps;
  readonly #periodic: Periodic;
  #isKnown = false;

  constructor(deps: ObserverDeps) {
    this.#deps = deps;
    this.#periodic = new Periodic(() => this.look(), {
      everyMs: EVERY_MS,
      onError: (error) => deps.log.warn({ err: error }, 'nothing was observed'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  async look(): Promise<void> {
    const { pool, catalogue, health, queue, states, deployments, process } = this.#deps;
    await process?.beat();
    if (!this.#isKnown) {
      await deployments.begin(VERSION);
      this.#isKnown = true;
    }
    const mine = await query(pool, TURN, []);
    if (mine.length === 0) return;
    await queue.sample();
    await states.record(await health.of(catalogue.configured));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#periodic[Symbol.asyncDispose]();
    await this.#deps.process?.leave().catch(() => undefined); // its silence tells the same, later
  }
}
