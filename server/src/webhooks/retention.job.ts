import { type Pool, query } from '../database/pool.ts';
import { Periodic } from '../platform/concurrency/periodic.ts';
import type { Log } from '../platform/logging/log.ts';

const KEPT_DAYS = 30;
const EVERY_MS = 3_600_000;
const BATCH = 1000;

/** Deletes up to 1000 old deliveries; their attempts go with them, by cascade. */
const PRUNE = {
  name: 'webhook-prune',
  text: `delete from webhook_delivery where id = any(array(
           select id from webhook_delivery where finished_at < now() - make_interval(days => ${KEPT_DAYS})
           order by finished_at limit ${BATCH}))
         returning id`,
};

/** Deletes deliveries that ended more than 30 days ago, once an hour. */
export class DeliveryRetention implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #periodic: Periodic;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#periodic = new Periodic(async () => void (await this.prune()), {
      everyMs: EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'old deliveries were not deleted'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Deletes all that are old enough, and answers how many. */
  async prune(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { length } = await query(this.#pool, PRUNE, []);
      deleted += length;
      if (length < BATCH) return deleted;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
