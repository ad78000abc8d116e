import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUsd, mostOfUsd, toUsd } from './money.ts';

describe('money', () => {
  it.each([
    [0, 0n],
    [1, 1_000_000_000n],
    [0.001, 1_000_000n],
    [1e-9, 1n],
    [0.1 + 0.2, 300_000_000n],
    [-2.5, -2_500_000_000n],
  ])('reads %d USD as %d nano-USD', (usd, nano) => {
    expect(fromUsd(usd)).toBe(nano);
  });

  it.each([
    [0.0099999999999, 9_999_999n],
    [0.01, 10_000_000n],
    [6e-10, 0n],
    [1e-9, 1n],
    [1.9999999999, 1_999_999_999n],
    [1_000_000, 1_000_000_000_000_000n],
  ])('takes a limit of %d USD as %d nano-USD, never as more', (usd, nano) => {
    expect(mostOfUsd(usd)).toBe(nano);
  });

  it('refuses what is no amount', () => {
    for (const usd of [Number.NaN, Number.POSITIVE_INFINITY, 1e19]) expect(() => fromUsd(usd)).toThrow(RangeError);
  });

  it('gives back every amount up to a million USD that callers see', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n }), (nano) => fromUsd(toUsd(nano)) === nano),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n }), (nano) => mostOfUsd(toUsd(nano)) === nano),
    );
  });
});
