import { Throttle } from '../../platform/concurrency/throttle.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import { FIRST_PLACE, type Queue, type QueuePlace } from '../store/queue.ts';
import { type GiveUpDeps, giveUpQueued, reportGivenUp } from './give-up.ts';

const TIMES: UnservedTimes = { everyMs: 10_000, rest: 100, graceMs: 30 * 60_000, gapMs: 60_000 };
/** Requests that one sweep ends. */
const MOST = 50;

export interface UnservedTimes {
  /** How often is looked which engines no process serves. */
  readonly everyMs: number;
  /** Between two looks, in times of what one takes: every process looks. */
  readonly rest: number;
  /** How long that is so before an engine's queued requests are ended: processes are restarted meanwhile. */
  readonly graceMs: number;
  /** After a longer time without a sweep nothing is known of what lay between. */
  readonly gapMs: number;
}

export interface UnservedEnginesDeps extends GiveUpDeps {
  readonly queue: Pick<Queue, 'unserved' | 'unservedRequests'>;
  readonly changes: RequestChanges;
  /** Engines of which this process takes requests. */
  readonly engineIds: readonly string[];
  readonly log: Log;
  readonly times?: UnservedTimes;
}

interface Unserved {
  readonly engine: string;
  /** Of `performance.now()`. */
  readonly since: number;
  /** Behind the request that was tried last: those that cannot be ended now do not keep the others. */
  after: QueuePlace;
}

/**
 * Ends queued requests of engines that are in no process's configuration any more: nothing else would, and their holds
 * would stay. Finished pages of a job are lost with them: without its engine nobody knows what they are worth.
 */
export class UnservedEngines {
  readonly #deps: UnservedEnginesDeps;
  readonly #times: UnservedTimes;
  readonly #rarely: Throttle;
  #unserved: readonly Unserved[] = [];
  #sweptAt = performance.now();
  #turn = 0;

  constructor(deps: UnservedEnginesDeps) {
    this.#deps = deps;
    this.#times = deps.times ?? TIMES;
    this.#rarely = new Throttle(this.#times.everyMs, this.#times);
  }

  /** To be called only while the database takes the heartbeats of all processes: it knows by them who lives. */
  async sweep(): Promise<void> {
    const { graceMs, gapMs } = this.#times;
    const now = performance.now();
    if (now - this.#sweptAt > gapMs) this.#unserved = [];
    this.#sweptAt = now;
    await this.#rarely.look(() => this.#look());
    const due = this.#unserved.filter(({ since }) => performance.now() - since >= graceMs);
    const next = due[this.#turn++ % due.length];
    if (next) await this.#end(next);
  }

  async #look(): Promise<void> {
    const { queue, engineIds, log } = this.#deps;
    const seen = await queue.unserved(engineIds);
    const known = new Map(this.#unserved.map((each) => [each.engine, each]));
    for (const { engine, requests } of seen) {
      if (!known.has(engine)) log.warn({ engine, requests }, 'requests wait for an engine that no process serves');
    }
    const since = performance.now();
    this.#unserved = seen.map(({ engine }) => known.get(engine) ?? { engine, since, after: FIRST_PLACE });
  }

  async #end(unserved: Unserved): Promise<void> {
    const { engine, after } = unserved;
    const places = await this.#deps.queue.unservedRequests(engine, { after, most: MOST });
    unserved.after = (places.length === MOST && places.at(-1)) || FIRST_PLACE;
    await Promise.all(places.map(({ id }) => this.#giveUp(id, engine)));
  }

  async #giveUp(id: string, engine: string): Promise<void> {
    const error = new AppError(
      'engine_unavailable',
      `No process of this gateway serves the engine "${engine}" any more. Nothing was charged.`,
    );
    const isEnded = await reportGivenUp(id, giveUpQueued(id, error, this.#deps), this.#deps);
    if (isEnded) this.#deps.log.warn({ requestId: id, engine }, 'request given up: no process serves its engine');
  }
}
