import { AppError } from '../errors.ts';

/** The value, when it is from 1 to `most`. Throws `invalid_request` otherwise. */
export function within(name: string, value: number, most: number): number {
  if (value < 1 || value > most) throw new AppError('invalid_request', `${name}: must be 1 to ${most}.`);
  return value;
}
