import { settledUntil } from '../../database/horizon.ts';
import { type Pool, query, transaction } from '../../database/pool.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import { fold } from './roll-up.ts';

const EVERY_MS = 5000;
/** Larger than any transaction's number. */
const NO_END = '18446744073709551615';

/** Takes the mark: the process that holds it rolls up, the others need not wait. */
const HOLD_MARK = {
  name: 'roll-up-hold-mark',
  text: 'select recorded_before as mark from roll_up_mark for update skip locked',
};

const AWAIT_MARK = { name: 'roll-up-await-mark', text: 'select recorded_before as mark from roll_up_mark for update' };

const IS_FOREIGN = {
  name: 'roll-up-is-foreign',
  text: 'select recorded_before > pg_snapshot_xmax(pg_current_snapshot()) as foreign from roll_up_mark',
};

const MOVE_MARK = { name: 'roll-up-move-mark', text: 'update roll_up_mark set recorded_before = $1::xid8' };

const FORGET_TRANSACTIONS = {
  name: 'roll-up-forget-transactions',
  text: `update attempt set recorded_xid = '0' where recorded_xid >= $1::xid8`,
};

/**
 * Keeps the counts of `engine_total` and `engine_hour` up to the mark: a transaction number before which everything is
 * counted. What came later is counted where the series are read, in the same snapshot as the mark, so that every
 * attempt counts once at any moment. One transaction moves counts and mark: a process that dies leaves nothing half done.
 */
export class RollUp implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #periodic: Periodic;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#periodic = new Periodic(async () => void (await this.roll()), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'rolling up failed'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Counts all attempts of transactions that have ended, unless another process is at it; answers how many. */
  roll(): Promise<number> {
    return transaction(this.#pool, async (client) => {
      const [held] = await query<{ mark: string }>(client, HOLD_MARK, []);
      if (!held) return 0;
      const until = await settledUntil(client);
      const counted = await fold(client, held.mark, until);
      if (counted > 0) await query(client, MOVE_MARK, [until]);
      return counted;
    });
  }

  /**
   * Adopts a dump that was restored into a younger cluster, where its transaction numbers are still to come: before anything is
   * written, all of its attempts are counted and their numbers forgotten.
   */
  async adopt(): Promise<void> {
    const [{ foreign } = { foreign: false }] = await query<{ foreign: boolean }>(this.#pool, IS_FOREIGN, []);
    if (!foreign) return;
    await transaction(this.#pool, async (client) => {
      const [held] = await query<{ mark: string }>(client, AWAIT_MARK, []);
      const [still] = await query<{ foreign: boolean }>(client, IS_FOREIGN, []);
      if (!held || !still?.foreign) return;
      await fold(client, held.mark, NO_END);
      const until = await settledUntil(client);
      await query(client, FORGET_TRANSACTIONS, [until]);
      await query(client, MOVE_MARK, [until]);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
