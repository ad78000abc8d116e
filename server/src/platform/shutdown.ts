import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Whether this process is about to stop: from then on it takes nothing in. */
export class Shutdown {
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  /** Throws `engine_unavailable` once it has begun. */
  requireRunning(): void {
    if (!this.#hasBegun) return;
    throw new AppError('engine_unavailable', 'This process is about to stop. Nothing was taken in; try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
