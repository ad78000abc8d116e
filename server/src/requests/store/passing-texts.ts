import { type Pool, query } from '../../database/pool.ts';

const GATHER_MS = 1000;

const REMOVE = { name: 'passing-text-remove', text: 'delete from passing_text where request_id = any($1::text[])' };

/** Texts that no account keeps, on their way to callers in other processes: removed soon after they arrived, many at once. */
export class PassingTexts implements AsyncDisposable {
  readonly #pool: Pool;
  #delivered: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Its caller has it. */
  delivered(requestId: string): void {
    this.#delivered.push(requestId);
    this.#timer ??= setTimeout(() => void this.#remove(), GATHER_MS).unref();
  }

  /** What cannot be removed now is removed with what is too old. */
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
