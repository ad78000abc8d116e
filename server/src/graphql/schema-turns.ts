import { FairSemaphore } from '../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../platform/errors.ts';

/** The whole schema, ten tenths, takes about 25 ms to execute and to write: a fifth of the time, at most, goes there. */
const MS_PER_TENTH = 12;
/** Where it takes longer, as on a busy machine: the rest after it, as a multiple. */
const REST = 4;
const LONGEST_WAIT_MS = 30_000;

/**
 * The turns in which documents that ask of the schema are executed, account by account: one after the other and with time
 * between them, in which everybody else is answered.
 */
export class SchemaTurns {
  readonly #gate = new FairSemaphore(1);
  readonly #longestWaitMs: number;

  constructor(longestWaitMs = LONGEST_WAIT_MS) {
    this.#longestWaitMs = longestWaitMs;
  }

  /** Does `work` in the party's turn, the length of which `tenths` says; throws 429 when it does not come. */
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
