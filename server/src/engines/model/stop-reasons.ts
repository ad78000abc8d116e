/** The reasons for which work is stopped before its own end. */

/** The time of the whole request is over: what runs counts as timed out. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** Its account does not want the request read any more: what was read by then stands. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** Another run holds the request now: nothing of this one may be written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** The process stops: the request is handed back to be run again. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}
