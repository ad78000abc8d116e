import type { AppError } from './errors.ts';
import type { Log } from './logging/log.ts';

/** Writes a failure on our side down, under the `X-Request-Id` that its caller was told, where it was told one. */
export function logFault(log: Pick<Log, 'error'>, known: AppError, requestId?: string): void {
  if (known.status < 500 || (!known.cause && known.code !== 'internal_error')) return;
  log.error({ ...(requestId && { requestId }), err: known.cause ?? known }, 'a call failed');
}
