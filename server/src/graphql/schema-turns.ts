import { FairSemaphore } from '../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../platform/errors.ts';

/**
 * Rest after each tenth, in ms. The whole schema, ten tenths, takes about 25 ms to execute and to write: at most a fifth of the
 * time is spent on it.
 */
const MS_PER_TENTH = 12;
/** Least rest as a multiple of the time that the work took, for machines on which it takes longer. */
const REST = 4;
const LONGEST_WAIT_MS = 30_000;

/**
 * Turns at executing documents that ask of the schema, by account: one after the other, with rests between them in which
 * everybody else is answered.
 */
export class SchemaTurns {
  readonly #gate = new FairSemaphore(1);
  readonly #longestWaitMs: number;

  constructor(longestWaitMs = LONGEST_WAIT_MS) {
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Does `work` in the party's turn, and rests afterwards for as long as `tenths` demand. Throws 429 where the turn does not come
   * within `longestWaitMs`.
   */
  async run<Result>(party: string, tenths: number, work: () => Result): Promise<Result> {
    const wait = AbortSignal.timeout(this.#longestWaitMs);
    const permit = await this.#gate.acquire(wait, party).catch(() => {
      throw new AppError('rate_limited', 'The schema is asked for too often at the moment.', { retryAfterSeconds: 30 });
    });
    const began = performance.now();
    try {
      return work();
    } finally {
      const restMs = Math.max(tenths * MS_PER_TENTH, REST * (performance.now() - began));
      setTimeout(() => permit.release(), restMs);
    }
  }
}
