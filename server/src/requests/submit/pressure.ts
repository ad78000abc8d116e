import { type Pool, query } from '../../database/pool.ts';
import { Throttle } from '../../platform/concurrency/throttle.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import { QueueCounts } from '../store/queue-counts.ts';
import { levelOf } from '../store/queue-levels.ts';

const LOOK_MS = 500;
const RETRY_AFTER_SECONDS = 10;
/** The shares of the queue that the requests of one account, and of one engine, may take. */
const ACCOUNT_SHARE = 1 / 4;
const ENGINE_SHARE = 1 / 2;

const COUNT = {
  name: 'pressure-queued',
  text: `select engine, account_id as "accountId", count(*)::int as queued from queued_request group by 1, 2`,
};

/** A request that is about to join the queue. */
export interface Joining {
  /** Where it joins the queue; see queue-levels.ts. */
  readonly level: number;
  /** Its acceptance has an answer, or has failed. */
  ended(): void;
}

export interface PressureLimits {
  /** Requests that may wait in all, in every process. */
  readonly maxQueued: number;
  readonly maxMemoryBytes: number;
}

/** Sheds load: refuses new work while too many requests wait, or this process uses too much memory. */
export class Pressure implements Disposable {
  readonly #pool: Pool;
  readonly #limits: PressureLimits;
  readonly #timer: NodeJS.Timeout;
  readonly #throttle = new Throttle(LOOK_MS / 2, { mostMs: 4 * LOOK_MS });
  #isLooking = false;
  #counts = new QueueCounts();
  /** Requests whose acceptance is under way: the latest count may or may not have them. */
  readonly #joining = new QueueCounts();
  /** Requests that have joined the queue since the latest count began. */
  #joined = new QueueCounts();
  /** While a count is under way: requests that had joined since the one before. */
  #before = new QueueCounts();
  #memoryBytes = 0;

  constructor(pool: Pool, limits: PressureLimits, log: Log) {
    this.#pool = pool;
    this.#limits = limits;
    const look = () => void this.#look().catch((error: Error) => log.warn({ err: error.message }, 'pressure unknown'));
    this.#timer = setInterval(look, LOOK_MS).unref();
  }

  /** To be called before a document is taken in. Throws `engine_unavailable` while memory is short. */
  requireMemory(): void {
    if (this.#memoryBytes <= this.#limits.maxMemoryBytes) return;
    throw unavailable('The service is short of memory. Nothing was taken in; try again.');
  }

  /**
   * Takes room in the queue for a request, which is counted here until `ended` is called. Throws `engine_unavailable` when the
   * queue is full, or the account or the engine has its share of it. Exact but for what other processes have queued since the
   * latest count.
   */
  join(engine: string, accountId: string): Joining {
    const { maxQueued } = this.#limits;
    const all = [this.#counts, this.#before, this.#joined, this.#joining];
    const waiting = (count: (counts: QueueCounts) => number) => all.reduce((sum, counts) => sum + count(counts), 0);
    if (waiting((counts) => counts.total) >= maxQueued) throw full('Too many requests are waiting.');
    if (waiting((counts) => counts.ofEngine(engine)) >= shareOf(maxQueued, ENGINE_SHARE))
      throw full('Too many requests are waiting for this engine.');
    if (waiting((counts) => counts.ofAccount(accountId)) >= shareOf(maxQueued, ACCOUNT_SHARE))
      throw full('Too many requests of this account are waiting.');
    const level = levelOf(waiting((counts) => counts.of(engine, accountId)));
    this.#joining.add(engine, accountId, 1);
    const ended = () => {
      this.#joining.add(engine, accountId, -1);
      this.#joined.add(engine, accountId, 1);
    };
    return { level, ended };
  }

  async #look(): Promise<void> {
    this.#memoryBytes = process.memoryUsage.rss();
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.#throttle
      .look(() => this.#count())
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #count(): Promise<void> {
    this.#before = this.#joined;
    this.#joined = new QueueCounts();
    try {
      const rows = await query<{ engine: string; accountId: string; queued: number }>(this.#pool, COUNT, []);
      const counts = new QueueCounts();
      for (const { engine, accountId, queued } of rows) counts.add(engine, accountId, queued);
      this.#counts = counts;
    } catch (error) {
      this.#joined.addAll(this.#before);
      throw error;
    } finally {
      this.#before = new QueueCounts();
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** A smaller queue is not divided into shares: each would be next to nothing. */
const SHARED_FROM = 12;

function shareOf(maxQueued: number, share: number): number {
  return maxQueued < SHARED_FROM ? maxQueued : Math.floor(maxQueued * share);
}

function full(message: string): AppError {
  return unavailable(`${message} Nothing was taken in; try again.`);
}

function unavailable(message: string): AppError {
  return new AppError('engine_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
