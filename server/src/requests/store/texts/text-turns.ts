import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../../database/pool.ts';
import type { ActiveParties } from '../../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../../platform/concurrency/byte-rate.ts';
import { WaitingLine, type WaitingLineOptions } from '../../../platform/concurrency/waiting-line.ts';

/** A longer text is read by a statement of its own: other rows in one statement with it would wait for it. */
export const LARGE_TEXT_BYTES = 256 * 1024;

/**
 * Reading and writing a megabyte takes the service's thread for milliseconds, and leaves garbage. This is the rate of an
 * account that is alone.
 */
const RATE = { burst: 8 * 1024 * 1024, perSecond: 16 * 1024 * 1024 };
/** The rate of an account while others call. */
const RATE_BESIDE = { burst: 8 * 1024 * 1024, perSecond: 2 * 1024 * 1024 };
const LINE: Omit<WaitingLineOptions, 'permits'> = {
  permitsEach: 1,
  mostWaiting: 1000,
  mostWaitingEach: 100,
  waitMs: 30_000,
  code: 'rate_limited',
  message: 'Too many large texts are asked for at once. Ask again in a moment.',
};
const READINGS = 2;
const NOBODY_ELSE = { hasOthers: () => false };

/** An account's turn: the texts of one answer are read in it. */
export interface TextTurn extends Disposable {
  /** Calls `read` for so many bytes, as soon as the account's rate allows it. */
  read<T>(bytes: number, read: () => Promise<T>): Promise<T>;
}

/** How large texts are read: on connections of their own, and in turns. */
export interface LargeTexts {
  readonly pool: Pool;
  readonly turns: TextTurns;
}

/**
 * Turns and rates for large texts: an account's answers are read one after the other, at a rate that leaves others their
 * time.
 */
export class TextTurns {
  readonly #turns = new WaitingLine({ ...LINE, permits: Number.POSITIVE_INFINITY });
  readonly #readings = new WaitingLine({ ...LINE, permits: READINGS });
  readonly #rate = new ByteRate(RATE);
  readonly #rateBeside = new ByteRate(RATE_BESIDE);
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;

  constructor(parties: Pick<ActiveParties, 'hasOthers'> = NOBODY_ELSE) {
    this.#parties = parties;
  }

  /**
   * Waits for the account's turn. Throws 429 where the account, or all accounts together, ask for too many texts at once, and the
   * signal's reason when that aborts; so does `read`.
   */
  async take(accountId: string, signal?: AbortSignal): Promise<TextTurn> {
    const turn = await this.#turns.take(accountId, signal);
    return {
      read: async (bytes, read) => {
        signal?.throwIfAborted(); // before it is counted
        // Two rates, so that what an account read while it was alone does not count once others call.
        const rate = this.#parties.hasOthers(accountId) ? this.#rateBeside : this.#rate;
        const waitMs = rate.take(accountId, bytes);
        let isRead = false;
        try {
          await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
          using _place = await this.#readings.take(accountId, signal);
          isRead = true;
          return await read();
        } finally {
          if (!isRead) rate.giveBack(accountId, bytes); // the caller has left, or has waited too long
        }
      },
      [Symbol.dispose]: () => turn.release(),
    };
  }
}
