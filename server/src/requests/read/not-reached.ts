import { AppError } from '../../platform/errors.ts';

/** The end of a synchronous request whose time went by in the queue. Its key is free again. */
export function notReached(): AppError {
  return new AppError(
    'engine_unavailable',
    'The engine was busy for the whole time of the request; it was not reached.',
  );
}
