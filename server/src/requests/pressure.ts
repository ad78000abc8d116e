import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';

const LOOK_MS = 500;
const RETRY_AFTER_SECONDS = 10;

const COUNT = {
  name: 'pressure-queued',
  text: `select count(*)::int as queued from (select 1 from ocr_request where status = 'queued' limit $1::int + 1) q`,
};

export interface PressureLimits {
  /** Requests that may wait in all, in every process. */
  readonly maxQueued: number;
  readonly maxMemoryBytes: number;
}

/** Turns new work away, rather than falling over, while too much waits or this process uses too much memory. */
export class Pressure implements Disposable {
  readonly #pool: Pool;
  readonly #limits: PressureLimits;
  readonly #timer: NodeJS.Timeout;
  #queued = 0;
  #memoryBytes = 0;

  constructor(pool: Pool, limits: PressureLimits, log: Log) {
    this.#pool = pool;
    this.#limits = limits;
    const look = () => void this.#look().catch((error: Error) => log.warn({ err: error.message }, 'pressure unknown'));
    this.#timer = setInterval(look, LOOK_MS).unref();
  }

  /** Before a document is taken in. Throws `engine_unavailable`. */
  requireMemory(): void {
    if (this.#memoryBytes <= this.#limits.maxMemoryBytes) return;
    throw new AppError('engine_unavailable', 'The service is short of memory. Nothing was taken in; try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** Before a request joins the queue. Throws `engine_unavailable`. */
  requireRoom(): void {
    if (this.#queued < this.#limits.maxQueued) {
      this.#queued++; // until the next look, so that a burst cannot pass by
      return;
    }
    throw new AppError('engine_unavailable', 'Too many requests are waiting. Nothing was taken in; try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  async #look(): Promise<void> {
    this.#memoryBytes = process.memoryUsage.rss();
    const [row] = await query<{ queued: number }>(this.#pool, COUNT, [this.#limits.maxQueued]);
    this.#queued = row?.queued ?? 0;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
