import { AppError } from '../../platform/errors.ts';

/** The error for a document that nobody can read; `message` is a plain reason for the caller. */
export function unreadable(message: string, cause?: unknown): AppError {
  return new AppError('unprocessable_entity', message, {}, { cause });
}

export function corruptPicture(cause?: unknown): AppError {
  return unreadable('The picture is corrupt or cut off: it cannot be decoded.', cause);
}
