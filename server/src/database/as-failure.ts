import { AppError, asAppError } from '../platform/errors.ts';
import { isOutage, isTooSlow, OutageError } from './outage.ts';

/**
 * The error that the caller sees for whatever was thrown. While the database is away, nothing is said about money: what the call
 * asks for may have been accepted before, and is charged when it ends.
 */
export function asFailure(thrown: unknown): AppError {
  const isAway = thrown instanceof OutageError || (isOutage(thrown) && !isTooSlow(thrown));
  return isAway ? new AppError('internal_error', AWAY, {}, { cause: thrown }) : asAppError(thrown);
}

const AWAY =
  'The database did not answer. What was accepted before goes on: ask again, or send it again with the same Idempotency-Key.';
