import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { WaitingLine, type WaitingLineOptions } from '../../platform/concurrency/waiting-line.ts';

/**
 * Of an account while others are there, in bytes of lines as they are stored (some 50 a word): what is placed, stored and shown of them takes the
 * service's thread for milliseconds a page of a thousand words.
 */
const RATE = { burst: 4 * 1024 * 1024, perSecond: 2 * 1024 * 1024 };
const BYTES_OF_A_CHARACTER = 10;
const LOADING: WaitingLineOptions = {
  atOnce: Number.POSITIVE_INFINITY,
  mostOf: 4,
  waiting: 1000,
  waitingOf: 100,
  waitMs: 30_000,
  code: 'rate_limited',
  message: 'Too many positions of words are asked for at once. Ask again in a moment.',
};
const NEVER = new AbortController().signal;

/** Positions of words are made and shown at a rate that leaves other accounts their time, where there are others. */
export class PositionTurns {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  readonly #rate = new ByteRate(RATE);
  readonly #loading = new WaitingLine(LOADING);
  /** Of an account's loads one waits for its rate, and the others for that one. */
  readonly #waiting = new FairSemaphore(Number.POSITIVE_INFINITY, () => 1);

  constructor(parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#parties = parties;
  }

  /** Resolves when a text of so many characters may be placed, or its request has been stopped; null where that is now. */
  beforePlacing(accountId: string, characters: number, signal: AbortSignal): Promise<void> | null {
    const ms = this.#take(accountId, characters * BYTES_OF_A_CHARACTER);
    // Who is stopped meanwhile hears of it elsewhere.
    return ms > 0 ? sleep(ms, undefined, { signal }).catch(() => undefined) : null;
  }

  /**
   * Loads lines, which `load` answers with their bytes, when their account may have more: nothing of them is held while it
   * waits. Throws 429 where it asks for too many at once, and the signal's reason where nobody waits for them any more.
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
