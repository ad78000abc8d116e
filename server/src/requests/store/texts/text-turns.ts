import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../../database/pool.ts';
import type { ActiveParties } from '../../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../../platform/concurrency/byte-rate.ts';
import { WaitingLine, type WaitingLineOptions } from '../../../platform/concurrency/waiting-line.ts';

/** More text than this is not looked up with other rows: what is in one statement with it would wait for it. */
export const LARGE_TEXT_BYTES = 256 * 1024;

/** Each takes the service's thread for milliseconds a megabyte, to be read and to be written, and leaves it garbage. */
const RATE = { burst: 8 * 1024 * 1024, perSecond: 16 * 1024 * 1024 };
/** Of an account, while another calls. */
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

/** An account's turn, in which one answer's texts are read. */
export interface TextTurn extends Disposable {
  /** Reads so many bytes, when the account may have them. */
  read<T>(bytes: number, read: () => Promise<T>): Promise<T>;
}

/** Where large texts are read: apart from what is short, and in turns. */
export interface LargeTexts {
  readonly pool: Pool;
  readonly turns: TextTurns;
}

/** Large texts are read an account's one answer after the other, and no more of them a second than leaves others their time. */
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
   * Throws 429, as its `read` does, where the account, or all of them, ask for too many at once; and the signal's reason when
   * that aborts.
   */
  async take(accountId: string, signal?: AbortSignal): Promise<TextTurn> {
    const turn = await this.#turns.take(accountId, signal);
    return {
      read: async (bytes, read) => {
        signal?.throwIfAborted(); // before it is counted
        // What an account reads while it is alone is not held against it once others come.
        const rate = this.#parties.hasOthers(accountId) ? this.#rateBeside : this.#rate;
        const waitMs = rate.take(accountId, bytes);
        let isRead = false;
        try {
          await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
          using _place = await this.#readings.take(accountId, signal);
          isRead = true;
          return await read();
        } finally {
          if (!isRead) rate.giveBack(accountId, bytes); // of who has left, or has waited too long
        }
      },
      [Symbol.dispose]: () => turn.release(),
    };
  }
}
