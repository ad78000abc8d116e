import { AppError } from '../../../platform/errors.ts';

/**
 * What today's catalogue and configuration have against a request. The body is read on despite it: they do not concern a
 * key that is bound.
 */
export class Objections {
  /** What a caller is told whose key is free; null where they take it. */
  first: AppError | null = null;

  /** What the check answers; null where it refuses. */
  of<T>(check: () => T): T | null {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.first ??= error;
      return null;
    }
  }
}
