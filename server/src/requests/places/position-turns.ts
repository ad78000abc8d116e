import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { WaitingLine, type WaitingLineOptions } from '../../platform/concurrency/waiting-line.ts';

/**
 * What an account may have while others call, in bytes of lines as they are stored (some 50 a word). Locating, storing and
 * showing them takes milliseconds of the service's thread for a page of a thousand words.
 */
const RATE = { burst: 4 * 1024 * 1024, perSecond: 2 * 1024 * 1024 };
const BYTES_OF_A_CHARACTER = 10;
const LOADING: WaitingLineOptions = {
  permits: Number.POSITIVE_INFINITY,
  permitsEach: 4,
  mostWaiting: 1000,
  mostWaitingEach: 100,
  waitMs: 30_000,
  code: 'rate_limited',
  message: 'Too many positions of words are asked for at once. Ask again in a moment.',
};
const NEVER = new AbortController().signal;

/** Limits how fast one account has positions of words located and shown, while other accounts call. */
export class PositionTurns {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  readonly #rate = new ByteRate(RATE);
  readonly #loading = new WaitingLine(LOADING);
  /** One load of an account waits for its rate; the account's other loads wait for that one. */
  readonly #waiting = new FairSemaphore(Number.POSITIVE_INFINITY, () => 1);

  constructor(parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#parties = parties;
  }

  /** Resolves when a text of so many characters may be located, or when `signal` aborts; null where it may be located at once. */
  beforeLocating(accountId: string, characters: number, signal: AbortSignal): Promise<void> | null {
    const ms = this.#take(accountId, characters * BYTES_OF_A_CHARACTER);
    // The run notices by itself that its signal has aborted.
    return ms > 0 ? sleep(ms, undefined, { signal }).catch(() => undefined) : null;
  }

  /**
   * Calls `load` when the account may have more; until then nothing is in memory. `load` answers how many bytes it has found.
   * Throws 429 where the account asks for too many at once, and the signal's reason when that aborts.
   */
  async load<T>(
    accountId: string,
    load: () => Promise<{ found: T; bytes: number }>,
    signal: AbortSignal = NEVER,
  ): Promise<T> {
    using _permit = await this.#loading.take(accountId, signal);
    if (!this.#parties.hasOthers(accountId)) return (await load()).found;
    using _turn = await this.#waiting.acquire(signal, accountId);
    for (let ms = this.#take(accountId, 0); ms > 0; ms = this.#take(accountId, 0)) {
      await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    const { found, bytes } = await load();
    this.#take(accountId, bytes);
    return found;
  }

  #take(accountId: string, bytes: number): number {
    return this.#parties.hasOthers(accountId) ? this.#rate.take(accountId, bytes) : 0;
  }
}
