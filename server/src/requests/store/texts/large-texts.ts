import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, query, type Statement } from '../../../database/pool.ts';
import { ByteRate } from '../../../platform/concurrency/byte-rate.ts';
import { WaitingLine } from '../../../platform/concurrency/waiting-line.ts';
import { rangeOfIds } from '../../../platform/ids.ts';

/** A longer text is read by itself: what is looked up in one statement with it would wait for it. */
export const LARGE_TEXT_BYTES = 256 * 1024;

/** Each takes the service's thread for milliseconds a megabyte, to be read and to be written. */
const RATE = { burst: 8 * 1024 * 1024, perSecond: 16 * 1024 * 1024 };
const LINE = {
  mostOf: 1,
  waiting: 1000,
  waitingOf: 100,
  waitMs: 30_000,
  message: 'Too many large texts are asked for at once. Ask again in a moment.',
};
const READINGS = 2;

/** Reads large texts: an account's one after the other, and no more of them a second than leaves others their time. */
export class LargeTexts {
  readonly #pool: Pool;
  readonly #statement: Statement;
  readonly #turns = new WaitingLine({ ...LINE, atOnce: Number.POSITIVE_INFINITY });
  readonly #readings = new WaitingLine({ ...LINE, atOnce: READINGS });
  readonly #rate = new ByteRate(RATE);

  /** `statement` answers the text of the request $1, whose id is between $2 and $3. */
  constructor(pool: Pool, statement: Statement) {
    this.#pool = pool;
    this.#statement = statement;
  }

  /** Null where there is none any more. Throws 503 where its account, or all of them, ask for too many at once. */
  async read(id: string, { accountId, bytes }: { accountId: string; bytes: number }): Promise<string | null> {
    using _turn = await this.#turns.take(accountId);
    await sleep(this.#rate.take(accountId, bytes));
    using _place = await this.#readings.take(accountId);
    const [row] = await query<{ text: string | null }>(this.#pool, this.#statement, [id, ...rangeOfIds([id])]);
    return row?.text ?? null;
  }
}
