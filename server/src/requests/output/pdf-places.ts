import { FairSemaphore, type Permit } from '../../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../../platform/errors.ts';

const RETRY_AFTER_SECONDS = 10;

export interface PdfPlacesOptions {
  /** PDFs that are made at once in this process: each holds its document several times over. */
  readonly atOnce: number;
  /** Callers who wait; each holds its document. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** Places for making PDFs. Accounts take turns. */
export class PdfPlaces {
  readonly #options: PdfPlacesOptions;
  readonly #places: FairSemaphore;
  #waiting = 0;

  constructor(options: PdfPlacesOptions) {
    this.#options = options;
    this.#places = new FairSemaphore(options.atOnce);
  }

  /** Throws 503 after a while, or at once where too many wait; and the signal's reason when that aborts. */
  async take(party: string, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const now = this.#places.tryAcquire(party);
    if (now) return now;
    if (this.#waiting >= this.#options.waiting) throw noPlace();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(noPlace()), this.#options.waitMs);
    this.#waiting++;
    try {
      return await this.#places.acquire(AbortSignal.any([signal, late.signal]), party);
    } finally {
      this.#waiting--;
      clearTimeout(timer);
    }
  }
}

function noPlace(): AppError {
  return new AppError('engine_unavailable', 'Too many searchable PDFs are being made. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
