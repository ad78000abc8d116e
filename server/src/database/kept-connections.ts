import type { PoolClient } from 'pg';

/** How long a connection is kept on which nothing is asked: then the pool has it back. */
const KEPT_MS = 1000;

/**
 * Connections of a pool that have just answered: what is asked next goes out on one of them at once. The pool itself hands
 * connections out at the end of the turn (`process.nextTick`), when all that the last answer has set going is done: the
 * database waited for that between two statements of a lane.
 */
export class KeptConnections {
  /** The one that answered last comes last, and is taken first. */
  readonly #free: PoolClient[] = [];
  /** So many of the first have not been taken since the last look. */
  #unused = 0;
  #look: NodeJS.Timeout | null = null;

  take(): PoolClient | undefined {
    const client = this.#free.pop();
    this.#unused = Math.min(this.#unused, this.#free.length);
    return client;
  }

  keep(client: PoolClient): void {
    this.#free.push(client);
    this.#look ??= setTimeout(() => this.#letUnusedGo(), KEPT_MS).unref();
  }

  /** It broke while nothing was asked on it. */
  drop(client: PoolClient, error: Error): void {
    const at = this.#free.indexOf(client);
    if (at < 0) return;
    this.#free.splice(at, 1);
    if (at < this.#unused) this.#unused--;
    client.release(error);
  }

  /** The pool has it back, for somebody who asks the pool itself. */
  letOneGo(): void {
    this.take()?.release();
  }

  letAllGo(): void {
    for (const client of this.#free.splice(0)) client.release();
    this.#unused = 0;
  }

  #letUnusedGo(): void {
    for (const client of this.#free.splice(0, this.#unused)) client.release();
    this.#unused = this.#free.length;
    this.#look = this.#free.length > 0 ? setTimeout(() => this.#letUnusedGo(), KEPT_MS).unref() : null;
  }
}
