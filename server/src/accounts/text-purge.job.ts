import type { Pool } from '../database/pool.ts';
import type { Log } from '../log.ts';
import { purgeTexts } from './text-purge.ts';

const EVERY_MS = 5000;

/** Deletes what accounts must not keep since they have switched history off: batch by batch, in whichever process is free. */
export class TextPurger implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #purging: Promise<void> = Promise.resolve();

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  start(): void {
    if (this.#closed) return;
    this.#purging = this.#purge().catch((error) => this.#log.warn({ err: error }, 'texts were not deleted yet'));
    void this.#purging.then(() => {
      this.#timer = setTimeout(() => this.start(), EVERY_MS).unref();
    });
  }

  async #purge(): Promise<void> {
    while (!this.#closed && (await purgeTexts(this.#pool, null)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#purging;
    clearTimeout(this.#timer);
  }
}
