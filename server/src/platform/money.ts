/** Money inside: signed 64-bit nano-USD (1 USD = 1,000,000,000). Decimal USD numbers exist only at the edge. */
export type NanoUsd = bigint;

const NANO_PER_USD = 1_000_000_000n;
const LARGEST = 9_000_000_000n * NANO_PER_USD;

/** A decimal USD number as nano-USD, rounded to the nearest; throws RangeError for what is no amount. */
export function fromUsd(usd: number): NanoUsd {
  if (!Number.isFinite(usd)) throw new RangeError(`not an amount of USD: ${usd}`);
  const [whole = '0', fraction = ''] = Math.abs(usd).toFixed(9).split('.');
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  if (nano > LARGEST) throw new RangeError(`amount out of range: ${usd} USD`);
  return usd < 0 ? -nano : nano;
}

/** A limit: the largest amount of whole nano-USD that is not above it. Throws as `fromUsd`. */
export function mostOfUsd(usd: number): NanoUsd {
  const nearest = fromUsd(usd);
  return toUsd(nearest) > usd ? nearest - 1n : nearest;
}

/** Nano-USD as the decimal USD number that callers see. */
export function toUsd(nano: NanoUsd): number {
  return Number(nano) / 1e9;
}

export function sum(amounts: Iterable<NanoUsd>): NanoUsd {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
