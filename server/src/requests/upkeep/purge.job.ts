import type { Pool } from '../../database/pool.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import { forgetDiscarded, purgeTexts } from '../store/forget.ts';

const EVERY_MS = 5000;

/**
 * Deletes the texts of accounts that have switched history off (`text_purge`), and of ended requests that are marked `discard`:
 * batch by batch, in whichever process is free.
 */
export class TextPurge implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #periodic: Periodic;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#periodic = new Periodic((stop) => this.#purge(stop), {
      everyMs: EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'texts were not deleted yet'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  async #purge(stop: AbortSignal): Promise<void> {
    try {
      while (!stop.aborted && (await forgetDiscarded(this.#pool)));
    } finally {
      while (!stop.aborted && (await purgeTexts(this.#pool, null)));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
