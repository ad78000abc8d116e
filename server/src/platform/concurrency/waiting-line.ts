import { AppError, type ErrorCode } from '../errors.ts';
import { FairSemaphore, type Permit } from './fair-semaphore.ts';

const RETRY_AFTER_SECONDS = 10;

export interface WaitingLineOptions {
  /** Permits in this process, and of them for one account. */
  readonly atOnce: number;
  readonly mostOf: number;
  /** Callers who wait, since each holds its document; and of one account. */
  readonly waiting: number;
  readonly waitingOf: number;
  readonly waitMs: number;
  /** Of that error; 503 when not given. */
  readonly code?: ErrorCode;
  /** Of the error where the line is full, or the wait was too long. */
  readonly message: string;
}

/** Permits for costly work that is free of charge: accounts take turns, and none takes all of them or the whole line. */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #permits: FairSemaphore;
  readonly #waiting = new Map<string, number>();
  #total = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
    this.#permits = new FairSemaphore(options.atOnce, () => options.mostOf);
  }

  /** Throws 503 after a while, or at once where too many wait; and the signal's reason when that aborts. */
  async take(party: string, signal?: AbortSignal): Promise<Permit> {
    signal?.throwIfAborted();
    const now = this.#permits.tryAcquire(party);
    if (now) return now;
    const { waiting, waitingOf, waitMs } = this.#options;
    if (this.#total >= waiting || (this.#waiting.get(party) ?? 0) >= waitingOf) throw this.#full();
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
