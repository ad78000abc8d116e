import type { Pool } from '../../database/pool.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import { UNHEALTHY_AFTER } from '../series/health.ts';
import { type CheckTools, checkEngine, PROBE_LIMIT_MS } from './check-engine.ts';
import { ProbeStore } from './probe-store.ts';

const FIRST_AFTER_MS = 1000;
/** Milliseconds after which a process learns another one's result. */
const LOOK_EVERY_MS = 2000;

export interface ProberDeps extends CheckTools {
  readonly pool: Pool;
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly intervalMs: number;
  readonly log: Log;
}

/**
 * Has engines, at intervals, read a picture with a known word, and records the results. Each engine is probed once in an
 * interval, by the process that claimed it; all processes go by the result.
 */
export class Prober implements AsyncDisposable {
  readonly #deps: ProberDeps;
  readonly #store: ProbeStore;
  readonly #stop = new AbortController();
  readonly #probing = new Set<Promise<void>>();
  readonly #periodic: Periodic;

  constructor(deps: ProberDeps) {
    this.#deps = deps;
    this.#periodic = new Periodic(() => this.#look(), {
      everyMs: Math.min(LOOK_EVERY_MS, deps.intervalMs),
      firstAfterMs: Math.min(FIRST_AFTER_MS, deps.intervalMs),
      onError: (error) => deps.log.warn({ err: error }, 'probing failed'),
    });
    this.#store = new ProbeStore(deps.pool, { intervalMs: deps.intervalMs, limitMs: PROBE_LIMIT_MS });
  }

  /** The engines that are probed. */
  get probed(): Engine[] {
    return this.#deps.catalogue.engines.filter((engine) => engine.probe && engine.status === 'available');
  }

  /** The engines whose health is public: the probed ones, and the announced ones, whose results are stored. */
  get shown(): Engine[] {
    return [...this.probed, ...this.#deps.catalogue.announced];
  }

  /** Probes the engine at once, whether it is due or not; resolves when the result is recorded. */
  async probeNow(engine: Engine): Promise<void> {
    await this.#probe(engine);
  }

  start(): void {
    this.#periodic.start();
  }

  /** Begins probes that this process has claimed, and takes note of all results. */
  async #look(): Promise<void> {
    const { availability } = this.#deps;
    const wanted = this.probed.filter((engine) => availability.obstacle(engine) !== 'disabled');
    const claimed = wanted.length > 0 ? await this.#store.claim(wanted.map(({ id }) => id)) : new Set();
    for (const engine of wanted.filter(({ id }) => claimed.has(id))) this.#begin(engine);
    await this.#takeNote();
  }

  #begin(engine: Engine): void {
    const probing = this.#probe(engine)
      .catch((error) => this.#deps.log.warn({ err: error, engine: engine.id }, 'a probe was not recorded'))
      .finally(() => this.#probing.delete(probing));
    this.#probing.add(probing);
  }

  async #probe(engine: Engine): Promise<void> {
    const check = await checkEngine(engine, this.#deps, this.#stop.signal);
    if (!check || this.#stop.signal.aborted) return this.#store.release(engine.id);
    await this.#store.record(engine.id, check);
    await this.#takeNote();
  }

  async #takeNote(): Promise<void> {
    const ids = this.probed.map(({ id }) => id);
    const latest = await this.#store.latest(ids);
    for (const id of ids) {
      this.#deps.availability.report(id, (latest.get(id)?.failures ?? 0) < UNHEALTHY_AFTER);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the process stops'));
    await this.#periodic[Symbol.asyncDispose]();
    await Promise.all(this.#probing);
  }
}
