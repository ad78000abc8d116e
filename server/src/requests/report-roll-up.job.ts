import type { PoolClient } from 'pg';
import { foldMoney } from '../billing/money-fold.ts';
import { type Pool, transaction } from '../database/pool.ts';
import type { Log } from '../log.ts';
import { foldUsage } from './usage-fold.ts';

const EVERY_MS = 5000;
/** Between two batches of what was there before: others use the database, too. */
const PAUSE_MS = 50;

/**
 * Keeps usage by day and money by hour counted up to a mark, as `RollUp` does with engines: what came later is counted
 * where reports are read, in the snapshot of the mark. Each step is a transaction that moves counts and mark together,
 * so a process that ends leaves nothing half done, and the next one goes on where it was.
 */
export class ReportRollUp implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #rolling: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  start(delayMs = EVERY_MS): void {
    this.#timer = setTimeout(() => {
      this.#rolling = this.step().then(
        (isDone) => this.#timer && this.start(isDone ? EVERY_MS : PAUSE_MS),
        (error) => {
          this.#log.warn({ err: error }, 'rolling up reports failed');
          if (this.#timer) this.start();
        },
      );
    }, delayMs).unref();
  }

  /** Counts what is there, to its end. */
  async roll(): Promise<void> {
    while (!(await this.step())) {
      // The next batch.
    }
  }

  /** One batch of each; answers whether that was the last. */
  async step(): Promise<boolean> {
    const left = await this.#run(foldMoney);
    return (await this.#run(foldUsage)) + left === 0;
  }

  #run(fold: (client: PoolClient) => Promise<number>): Promise<number> {
    return transaction(this.#pool, fold);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#rolling;
  }
}
