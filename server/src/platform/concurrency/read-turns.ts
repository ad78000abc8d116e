import type { ActiveParties } from './active-parties.ts';
import { WaitingLine, type WaitingLineOptions } from './waiting-line.ts';

const LINE: WaitingLineOptions = {
  permits: Number.POSITIVE_INFINITY,
  permitsEach: 1,
  mostWaiting: 10_000,
  mostWaitingEach: 1000,
  waitMs: 30_000,
  code: 'rate_limited',
  message: 'Too much is asked for at once. Ask again in a moment.',
};
/** What takes longer waits for something else than the service's thread, and holds up nothing else of its account. */
const LONGEST_MS = 100;

/**
 * What an account reads while others call begins one after the other: each call takes several turns of the service's thread, and so
 * many side by side keep everybody else's waiting at each.
 */
export class ReadTurns {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  readonly #line = new WaitingLine(LINE);

  constructor(parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#parties = parties;
  }

  /**
   * Throws 429 where the account asks for too much at once, and the reason of the signal when whoever waits has hung up. Callers
   * without an account have limits of their own.
   */
  async run<T>(accountId: string | null, hangUp: () => AbortSignal, work: () => Promise<T>): Promise<T> {
    if (accountId === null || !this.#parties.hasOthers(accountId)) return work();
    const permit = await this.#line.take(accountId, hangUp());
    const late = setTimeout(() => permit.release(), LONGEST_MS);
    try {
      return await work();
    } finally {
      clearTimeout(late);
      permit.release();
    }
  }
}
