import { InvalidArgumentError } from 'commander';

/** Reads a whole number of an option. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new InvalidArgumentError(`must be ${least} to ${most}.`);
    }
    return value;
  };
}

/** Reads an amount of money of an option. */
export function amount(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('must be an amount of USD above 0.');
  return value;
}
