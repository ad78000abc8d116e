import { InvalidArgumentError } from 'commander';

/** Makes the parser of an option that is a whole number from `least` to `most`. It throws `InvalidArgumentError`. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new InvalidArgumentError(`must be ${least} to ${most}.`);
    }
    return value;
  };
}

/** Parses an option that is an amount in USD above 0. Throws `InvalidArgumentError`. */
export function amount(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('must be an amount of USD above 0.');
  return value;
}
