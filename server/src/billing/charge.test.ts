import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fundsNeeded, retriedCharge, retryLimit, worstCase } from './charge.ts';

const flat = { pricePerPage: 1500n, tokenPrices: null, providerCostPerPage: 1000n };
const tokens = { ...flat, tokenPrices: { inputPerMillion: 1n, outputPerMillion: 2n } };
const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });

it('reserves for the dearer of two engines that may read the pages', () => {
  expect(fundsNeeded(flat, null, 3)).toEqual({ hold: 4500n, tokenPriced: false });
  expect(fundsNeeded(flat, { ...flat, pricePerPage: 2000n }, 3)).toEqual({ hold: 6000n, tokenPriced: false });
  expect(fundsNeeded(flat, { ...tokens, pricePerPage: 10n }, 3)).toEqual({ hold: 4500n, tokenPriced: true });
});

it('limits a retried request to the full price of its engine, at token prices to what was spent if that is more', () => {
  expect(retryLimit(flat, { fullPrice: 4500n, spent: 9000n })).toBe(4500n);
  expect(retryLimit(tokens, { fullPrice: 4500n, spent: 9000n })).toBe(9000n);
  expect(retryLimit(tokens, { fullPrice: 4500n, spent: 100n })).toBe(4500n);
});

it('knows the worst case: a page that one engine fails at and the other reads, or that none reads', () => {
  const local = { ...flat, pricePerPage: 2000n, providerCostPerPage: null, local: true };
  const hosted = { ...flat, local: false };
  expect(worstCase([hosted], 3)).toBe(4500n);
  expect(worstCase([{ ...hosted, providerCostPerPage: 1600n }], 3)).toBe(4800n);
  expect(worstCase([local], 3)).toBe(6000n);
  expect(worstCase([hosted, local], 1)).toBe(1000n + 2000n);
  expect(worstCase([{ ...hosted, providerCostPerPage: null }], 1)).toBe(null);
  expect(worstCase([{ ...tokens, local: false }], 1)).toBe(null);
});

it('charges both runs, up to the limit', () => {
  fc.assert(
    fc.property(amount, amount, amount, (first, second, limit) => {
      const charge = retriedCharge(first, second, limit);
      expect(charge <= limit).toBe(true);
      expect(charge === first + second || charge === limit).toBe(true);
    }),
  );
});
