import { idAt } from '../../demo/src/id-at.ts';
import type { Pool } from '../../server/src/database/pool.ts';
import type { SeededRandom } from './seeded-random.ts';

const DAY_MS = 86_400_000;
const ENDINGS = ['succeeded', 'succeeded', 'partial', 'failed', 'rejected'];
export const ACCOUNTS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
export const ENGINES = ['a', 'b', 'c'];
const KEYS = [null, 'key_1', 'key_2'];

/** Requests are written, end, change and are written as ended, at times of the last 40 days. */
export class RequestTable {
  readonly #pool: Pool;
  readonly #random: SeededRandom;
  readonly #open: string[] = [];
  readonly #ended: string[] = [];

  constructor(pool: Pool, random: SeededRandom) {
    this.#pool = pool;
    this.#random = random;
  }

  /** One change of any kind. */
  async change(): Promise<void> {
    const random = this.#random;
    const kind = random.below(10);
    if (kind < 4) return this.accept();
    if (kind < 7 && this.#open.length > 0)
      return this.end(this.#open.splice(random.below(this.#open.length), 1)[0] ?? '');
    if (kind < 8 && this.#ended.length > 0) return this.#chargeLate(random.pick(this.#ended));
    return this.accept('ended');
  }

  async accept(state: 'open' | 'ended' = 'open'): Promise<void> {
    const random = this.#random;
    const time = Date.now() - 5000 - random.below(40 * DAY_MS);
    const id = idAt('ocr_', time, () => random.below(1000) / 1000);
    const status = state === 'open' ? random.pick(['queued', 'processing']) : random.pick(ENDINGS);
    const cost = state === 'open' || random.below(3) === 0 ? 0 : random.below(9_000_000);
    await this.#pool.query(
      `insert into ocr_request (id, account_id, key_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages, created_at, finished_at)
       values ($1, $2, $3, 'a', $4, 'sync', '{}', $5, 'processing', 1, $6, $7, $8, case when $5 in ('queued', 'processing') then null else $8::timestamptz + interval '1 second' end)`,
      [
        ...[id, random.pick(ACCOUNTS), random.pick(KEYS), random.pick(ENGINES), status, cost],
        ...[state === 'open' ? null : random.below(9), new Date(time)],
      ],
    );
    (state === 'open' ? this.#open : this.#ended).push(id);
    if (cost > 0) await this.#transfer(id, cost, random.pick(['charge', 'provider_cost']), new Date(time + 1000));
  }

  async end(id: string): Promise<void> {
    const random = this.#random;
    const cost = random.below(3) === 0 ? 0 : random.below(9_000_000) + 1;
    await this.#pool.query(
      'update ocr_request set status = $2, engine = $3, cost = $4, pages = $5, finished_at = now() where id = $1',
      [id, random.pick(ENDINGS), random.pick(ENGINES), cost, random.below(9)],
    );
    this.#ended.push(id);
    if (cost > 0) await this.#transfer(id, cost, 'charge', new Date());
  }

  async #chargeLate(id: string): Promise<void> {
    const cost = this.#random.below(1_000_000) + 1;
    await this.#pool.query('update ocr_request set cost = cost + $2 where id = $1', [id, cost]);
    await this.#pool.query(
      `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, attempt_id)
       select account_id, 'provider_cost', 'wallet', 'provider_cost', $2, id, 'att_' || gen_random_uuid() from ocr_request where id = $1`,
      [id, cost],
    );
  }

  async #transfer(id: string, cost: number, kind: string, at: Date): Promise<void> {
    await this.#pool.query(
      `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, created_at)
       select account_id, $2, 'wallet', case $2 when 'charge' then 'revenue' else 'provider_cost' end, $3, id, $4 from ocr_request where id = $1`,
      [id, kind, cost, at],
    );
  }
}
