import { isStorable } from '../../database/storable.ts';
import { AppError } from '../../platform/errors.ts';

const LONGEST = 255;

/** An idempotency key that can be kept. Throws `invalid_request` for one that is blank, too long or no text. */
export function checkedKey(key: string): string {
  if (key.trim() === '') {
    throw new AppError('invalid_request', 'The idempotency key is empty: send a new value for each new request.');
  }
  if (key.length > LONGEST) {
    throw new AppError('invalid_request', `The idempotency key is longer than ${LONGEST} characters.`);
  }
  if (!isStorable(key)) {
    throw new AppError('invalid_request', 'The idempotency key contains a NUL or an incomplete character.');
  }
  return key;
}
