import { AppError } from '../platform/errors.ts';
import { isOutage, OutageError } from './outage.ts';

/**
 * Whether the same call may succeed later: the database was away or busy, or a limit on calls or memory refused it (429, 503).
 */
export function isTransientFailure(error: unknown): boolean {
  if (error instanceof AppError) return error.status === 429 || error.status === 503;
  return error instanceof OutageError || isOutage(error);
}
