import { AppError } from '../../../platform/errors.ts';

/**
 * Collects the errors by which today's catalogue or configuration refuses a request. Reading its body goes on despite them: a
 * request whose key is bound is replayed, whatever they say.
 */
export class Objections {
  /** The error for a caller whose key is free; null where there is none. */
  first: AppError | null = null;

  /** The answer of `check`; null where it throws an `AppError`, which is kept. */
  check<T>(check: () => T): T | null {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.first ??= error;
      return null;
    }
  }
}
