import { type Pool, query } from '../database/pool.ts';
import { Periodic } from '../platform/concurrency/periodic.ts';
import { AppError } from '../platform/errors.ts';
import type { Engine } from './model/engine.ts';

const SWITCHES = {
  name: 'engine-switches',
  text: 'select engine, enabled, changed_at as "changedAt" from engine_switch',
};

interface Switch {
  readonly enabled: boolean;
  readonly changedAt: Date;
}

const SET_SWITCH = {
  name: 'engine-set-switch',
  text: `insert into engine_switch (engine, enabled) values ($1, $2)
         on conflict (engine) do update set enabled = excluded.enabled, changed_at = now()`,
};

const REFRESH_MS = 500;
const RETRY_AFTER_SECONDS = 30;

const WHY = {
  disabled: 'is switched off',
  unhealthy: 'fails its health probe',
  resting: 'failed several times in a row and is left alone for a moment',
} as const;

/** Whether engines take requests: the operator's switch (felt within a second everywhere) and the last probe. */
export class Availability implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #isResting: (engine: Engine) => boolean;
  #switches: ReadonlyMap<string, Switch> = new Map();
  readonly #failing = new Set<string>();
  readonly #periodic: Periodic;

  /** `isResting` tells of engines that failed several times in a row in this process. */
  constructor(pool: Pool, isResting: (engine: Engine) => boolean = () => false) {
    this.#pool = pool;
    this.#isResting = isResting;
    // What an outage hides is seen by the next look.
    const options = { everyMs: REFRESH_MS, firstAfterMs: REFRESH_MS, onError: () => undefined };
    this.#periodic = new Periodic(() => this.#refresh(), options);
  }

  async start(): Promise<void> {
    await this.#refresh();
    this.#periodic.start();
  }

  /** The operator's switch; where it was never used, the configuration. */
  isEnabled(engine: Engine): boolean {
    return this.#switches.get(engine.id)?.enabled ?? engine.enabled;
  }

  /** When the operator last used its switch; null where it was never used. */
  switchedAt(engine: Engine): Date | null {
    return this.#switches.get(engine.id)?.changedAt ?? null;
  }

  /** Why an engine of the catalogue takes no requests now; null when it does. */
  obstacle(engine: Engine): keyof typeof WHY | null {
    if (!this.isEnabled(engine)) return 'disabled';
    if (this.#failing.has(engine.id)) return 'unhealthy';
    return this.#isResting(engine) ? 'resting' : null;
  }

  /** An obstacle as a sentence. */
  describe({ id }: Engine, obstacle: keyof typeof WHY): string {
    return `Engine "${id}" ${WHY[obstacle]}.`;
  }

  isUsable(engine: Engine): boolean {
    return engine.status === 'available' && this.obstacle(engine) === null;
  }

  /** Throws `engine_unavailable` for an engine that takes no requests now. */
  require(engine: Engine): void {
    const obstacle = this.obstacle(engine);
    if (obstacle === null) return;
    throw new AppError(
      'engine_unavailable',
      `${this.describe(engine, obstacle)} Nothing was charged; try again later.`,
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }

  /** What the last probe said. */
  report(engineId: string, healthy: boolean): void {
    if (healthy) this.#failing.delete(engineId);
    else this.#failing.add(engineId);
  }

  async set(engineId: string, enabled: boolean): Promise<void> {
    await query(this.#pool, SET_SWITCH, [engineId, enabled]);
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    const rows = await query<Switch & { engine: string }>(this.#pool, SWITCHES, []);
    this.#switches = new Map(rows.map(({ engine, ...one }) => [engine, one]));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
