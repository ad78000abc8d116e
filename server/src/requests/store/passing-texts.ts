import { type Pool, query } from '../../database/pool.ts';

const GATHER_MS = 1000;

/** A waiting caller has its text long before. */
const OLD = '5 minutes';

const REMOVE = { name: 'passing-text-remove', text: 'delete from passing_text where request_id = any($1::text[])' };

const REMOVE_OLD = {
  name: 'lease-forget-passed',
  text: `delete from passing_text where created_at < now() - interval '${OLD}'`,
};

/**
 * Removes the texts that a result passes to a caller in another process, where the account does not keep them: soon after their
 * delivery, many at once.
 */
export class PassingTexts implements AsyncDisposable {
  readonly #pool: Pool;
  #delivered: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The caller has the text. */
  delivered(requestId: string): void {
    this.#delivered.push(requestId);
    this.#timer ??= setTimeout(() => void this.#remove(), GATHER_MS).unref();
  }

  /** Removes texts whose caller did not take them. */
  async removeOld(): Promise<void> {
    await query(this.#pool, REMOVE_OLD, []);
  }

  /** A text that cannot be removed now is removed as an old one. */
  async #remove(): Promise<void> {
    this.#timer = null;
    const ids = this.#delivered;
    this.#delivered = [];
    if (ids.length > 0) await query(this.#pool, REMOVE, [ids]).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#remove();
  }
}
