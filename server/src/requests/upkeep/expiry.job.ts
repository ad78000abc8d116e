import type { Pool } from '../../database/pool.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import { accountsWithRetention, forgetExpired } from '../store/forget-expired.ts';

const EVERY_MS = 3_600_000;

/**
 * Deletes texts that are older than their accounts keep them (`text_expiry`): hourly, in small steps, and harmless in several
 * processes.
 */
export class TextExpiry implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #onExpired: (requests: number) => void;
  readonly #periodic: Periodic;

  constructor(pool: Pool, { log, onExpired }: { log: Log; onExpired: (requests: number) => void }) {
    this.#pool = pool;
    this.#log = log;
    this.#onExpired = onExpired;
    this.#periodic = new Periodic((stop) => this.#deleteExpired(stop), {
      everyMs: EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'expired texts were not deleted yet'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  async #deleteExpired(stop: AbortSignal): Promise<void> {
    let deleted = 0;
    for (const account of await accountsWithRetention(this.#pool)) {
      // An account whose rows take too long, or are locked, must not keep the others.
      deleted += await forgetExpired(this.#pool, account, stop).catch((error: unknown) => {
        this.#log.warn({ err: error, accountId: account.id }, 'expired texts of an account were not deleted yet');
        return 0;
      });
    }
    this.#onExpired(deleted);
    if (deleted > 0) this.#log.info({ requests: deleted }, 'expired texts were deleted');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
