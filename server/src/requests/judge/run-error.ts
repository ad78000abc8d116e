import type { Attempt } from '../model/attempt.ts';

/** A run that ended before its conclusion: why, and the attempts that had been made by then, at the provider's cost. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly attempts: readonly Attempt[];

  constructor(reason: unknown, attempts: readonly Attempt[]) {
    super('the run ended before its conclusion', { cause: reason });
    this.attempts = attempts;
  }

  /** The reason of any error, and the attempts that it leaves behind. */
  static from(error: unknown): { reason: unknown; attempts: readonly Attempt[] } {
    return error instanceof RunError
      ? { reason: error.cause, attempts: error.attempts }
      : { reason: error, attempts: [] };
  }
}
