import { expect, it } from 'vitest';
import { providerCostOf } from './engine-money.ts';

const PER_PAGE = { tokenPrices: null, providerCostPerPage: 3n, isLocal: false };
const RUNS = { pages: 10, reported: 5n, pendingRuns: 0 };

it('adds what the catalogue says of pages to what was reported of failures', () => {
  expect(providerCostOf(PER_PAGE, RUNS)).toBe(35n);
  expect(providerCostOf({ ...PER_PAGE, isLocal: true }, RUNS)).toBe(5n);
});

it('takes tokens as they were reported', () => {
  const tokenPrices = { inputPerMillion: 1n, outputPerMillion: 1n };
  expect(providerCostOf({ ...PER_PAGE, tokenPrices }, RUNS)).toBe(5n);
});

it('is unknown as soon as a part of it is', () => {
  expect(providerCostOf(PER_PAGE, { ...RUNS, pendingRuns: 1 })).toBeNull();
  expect(providerCostOf({ ...PER_PAGE, providerCostPerPage: null }, RUNS)).toBeNull();
  expect(providerCostOf({ ...PER_PAGE, providerCostPerPage: null }, { ...RUNS, pages: 0 })).toBe(5n);
});
