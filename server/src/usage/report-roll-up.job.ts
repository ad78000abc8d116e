import type { PoolClient } from 'pg';
import { foldMoney } from '../billing/money-roll-up.ts';
import { type Pool, transaction } from '../database/pool.ts';
import { Periodic } from '../platform/concurrency/periodic.ts';
import type { Log } from '../platform/logging/log.ts';
import { foldUsage } from './usage-roll-up.ts';

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
  readonly #periodic: Periodic;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    let isDone = true;
    const step = async () => {
      isDone = true; // of what could not be counted, the next try knows no more
      isDone = await this.step();
    };
    this.#periodic = new Periodic(step, {
      everyMs: () => (isDone ? EVERY_MS : PAUSE_MS),
      onError: (error) => log.warn({ err: error }, 'rolling up reports failed'),
    });
  }

  start(): void {
    this.#periodic.start();
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

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
