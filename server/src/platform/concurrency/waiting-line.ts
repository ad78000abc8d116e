import { AppError, type ErrorCode } from '../errors.ts';
import { FairSemaphore, type Permit } from './fair-semaphore.ts';

const RETRY_AFTER_SECONDS = 10;

export interface WaitingLineOptions {
  /** Permits in this process. */
  readonly permits: number;
  /** Permits that one party may hold. */
  readonly permitsEach: number;
  /** Callers that may wait at once: each of them holds memory. */
  readonly mostWaiting: number;
  /** Callers of one party that may wait at once. */
  readonly mostWaitingEach: number;
  /** How long a caller waits. */
  readonly waitMs: number;
  /** The code of the error where the line is full, or the wait too long; `engine_unavailable` (503) when absent. */
  readonly code?: ErrorCode;
  /** The message of that error. */
  readonly message: string;
}

/**
 * Permits for costly work, and a bounded line of callers that wait for one. Parties take turns, and none may fill permits or
 * line.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #permits: FairSemaphore;
  readonly #waiting = new Map<string, number>();
  #total = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
    this.#permits = new FairSemaphore(options.permits, () => options.permitsEach);
  }

  /**
   * A permit, as soon as it is the party's turn. Throws the options' error at once where too many wait, or after `waitMs`;
   * and the signal's reason.
   */
  async take(party: string, signal?: AbortSignal): Promise<Permit> {
    signal?.throwIfAborted();
    const now = this.#permits.tryAcquire(party);
    if (now) return now;
    const { mostWaiting, mostWaitingEach, waitMs } = this.#options;
    if (this.#total >= mostWaiting || (this.#waiting.get(party) ?? 0) >= mostWaitingEach) throw this.#full();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(this.#full()), waitMs);
    this.#count(party, 1);
    try {
      return await this.#permits.acquire(signal ? AbortSignal.any([signal, late.signal]) : late.signal, party);
    } finally {
      this.#count(party, -1);
      clearTimeout(timer);
    }
  }

  #count(party: string, change: 1 | -1): void {
    this.#total += change;
    const waiting = (this.#waiting.get(party) ?? 0) + change;
    if (waiting > 0) this.#waiting.set(party, waiting);
    else this.#waiting.delete(party);
  }

  #full(): AppError {
    return new AppError(this.#options.code ?? 'engine_unavailable', this.#options.message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
