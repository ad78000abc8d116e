import { type Pool, query } from '../../database/pool.ts';

/** Other calls may wait for the same end in other processes, which look for it every second. A text stays once or twice as long. */
const OTHERS_MS = 3000;

/** A waiting caller has its text long before. */
const OLD = '5 minutes';

const REMOVE = { name: 'passing-text-remove', text: 'delete from passing_text where request_id = any($1::text[])' };

const REMOVE_OLD = {
  name: 'lease-forget-passed',
  text: `delete from passing_text where created_at < now() - interval '${OLD}'`,
};

/**
 * Removes the texts that a result passes to a caller in another process, where the account does not keep them: seconds
 * after their delivery, many at once.
 */
export class PassingTexts implements AsyncDisposable {
  readonly #pool: Pool;
  #delivered: string[] = [];
  /** Delivered before the timer began. */
  #due: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The caller has the text. */
  delivered(requestId: string): void {
    this.#delivered.push(requestId);
    this.#startTimer();
  }

  /** Removes texts whose caller did not take them. */
  async removeOld(): Promise<void> {
    await query(this.#pool, REMOVE_OLD, []);
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const due = this.#due;
      this.#due = this.#delivered;
      this.#delivered = [];
      if (this.#due.length > 0) this.#startTimer();
      void this.#remove(due);
    }, OTHERS_MS).unref();
  }

  /** A text that cannot be removed now is removed as an old one. */
  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await query(this.#pool, REMOVE, [ids]).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#remove([...this.#due, ...this.#delivered]);
  }
}
