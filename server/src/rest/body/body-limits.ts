import { AppError } from '../../platform/errors.ts';

export interface BodyLimits {
  /** Most bytes of all bodies that are being received. One party may take a quarter; large bodies may take three quarters. */
  readonly totalBytes: number;
  /** Milliseconds after which a body that brings nothing is given up. */
  readonly idleMs: number;
  /** Least rate of a body, after a start of `startMs`. A slower body is given up. */
  readonly bytesPerSecond: number;
  readonly startMs: number;
  /** Longest wait of a large body for its place, in ms. */
  readonly waitMs: number;
}

/** Most bytes of a body with a document: 10 MB. */
export const DOCUMENT_BODY_BYTES = 10_485_760;
/** Most bytes of a form of the dashboard. */
export const FORM_BODY_BYTES = 16_384;

export const BODY_TIMES = { idleMs: 15_000, startMs: 30_000, bytesPerSecond: 16_384, waitMs: 30_000 } as const;

const RETRY_AFTER_SECONDS = 5;

export function tooLarge(limitBytes: number): AppError {
  const exact = limitBytes.toLocaleString('en-US');
  const message =
    limitBytes === DOCUMENT_BODY_BYTES
      ? `The body is larger than 10 MB (${exact} bytes), which is about 7.8 MB of file as base64. Send larger files as a URL.`
      : `The body is larger than ${exact} bytes.`;
  return new AppError('payload_too_large', message);
}

export function noRoom(): AppError {
  return new AppError('engine_unavailable', 'Too many bodies are being received. Nothing was taken in; try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

export function cutOff(): AppError {
  return new AppError('invalid_request', 'The body ended before it was complete.');
}

export function tooSlow(): AppError {
  return new AppError('invalid_request', 'The body came too slowly and was given up; send it again.', {
    headers: { Connection: 'close' },
  });
}

export function tooSmallPieces(): AppError {
  return new AppError('invalid_request', 'The body came in pieces of a few bytes: send it in larger ones, or whole.', {
    headers: { Connection: 'close' },
  });
}
