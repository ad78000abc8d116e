import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';
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

/** Positions of words are made and shown at a rate that leaves other accounts their time, where there are others. */
export class PositionTurns {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  readonly #rate = new ByteRate(RATE);
  readonly #loading = new WaitingLine(LOADING);

  constructor(parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#parties = parties;
  }

  /** Resolves when a text of so many characters may be placed, or its request has been stopped; null where that is now. */
  beforePlacing(accountId: string, characters: number, signal: AbortSignal): Promise<void> | null {
    const ms = this.#take(accountId, characters * BYTES_OF_A_CHARACTER);
    return ms > 0 ? pause(ms, signal) : null;
  }

  /**
   * Loads lines, which `load` answers with their bytes, and hands them on when their account may have them. Throws 429 where it
   * asks for too many at once.
   */
  async load<T>(accountId: string, load: () => Promise<{ found: T; bytes: number }>): Promise<T> {
    using _permit = await this.#loading.take(accountId);
    const { found, bytes } = await load();
    const ms = this.#take(accountId, bytes);
    if (ms > 0) await pause(ms);
    return found;
  }

  #take(accountId: string, bytes: number): number {
    return this.#parties.hasOthers(accountId) ? this.#rate.take(accountId, bytes) : 0;
  }
}

/** Who is stopped meanwhile hears of it elsewhere. */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => undefined);
}
