import { InvalidArgumentError } from 'commander';

/** Reads an amount of money of an option. */
export function usd(text: string): number {
  const amount = Number(text);
  if (text.trim() === '' || !Number.isFinite(amount)) throw new InvalidArgumentError('must be an amount of USD.');
  return amount;
}

/** Reads for how long texts are kept. It gives no null for `off`: the parser of options takes that for an empty text. */
export function textDays(text: string): number | 'off' {
  if (text === 'off') return text;
  const days = Number(text);
  if (!Number.isInteger(days)) throw new InvalidArgumentError('must be a number of days, or `off`.');
  return days;
}

/** Reads a whole number of an option; `unit` is what it counts. */
export function whole(most: number, unit: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > most) {
      throw new InvalidArgumentError(`must be 1 to ${most} ${unit}.`);
    }
    return value;
  };
}
