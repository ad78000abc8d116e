import type { PoolClient } from 'pg';

/** How long an unused connection is kept before the pool gets it back. */
const KEPT_MS = 1000;

/**
 * Keeps connections that have just answered, so that the next statement goes out at once. The pool itself hands connections out
 * at the end of the turn (`process.nextTick`), after all that the last answer has started; the database would have nothing to do
 * until then.
 */
export class KeptConnections {
  /** The free connections. The one that answered last is at the end, and is taken first. */
  readonly #free: PoolClient[] = [];
  /** How many connections at the beginning of the list were not taken since the last look. */
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

  /** Removes a connection that broke while it was kept. */
  drop(client: PoolClient, error: Error): void {
    const at = this.#free.indexOf(client);
    if (at < 0) return;
    this.#free.splice(at, 1);
    if (at < this.#unused) this.#unused--;
    client.release(error);
  }

  /** Gives one connection back to the pool, for a caller that asks the pool itself. */
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
