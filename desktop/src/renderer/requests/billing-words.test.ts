import { expect, it } from 'vitest';
import { billingWords } from './billing-words.ts';

it('does not call unrecorded costs none: pages that are sold by the page cost their provider’s price', () => {
  expect(billingWords({ billing: 'none', cost: 0, pages: 2 })).toBe(
    'Sold by the page; what it cost at the provider is not recorded',
  );
  expect(billingWords({ billing: 'none', cost: 0, pages: 0 })).toBe('Nothing to pay at the provider');
});

it('says where a known cost comes from', () => {
  const words = ['settled', 'verified', 'pending'].map((billing) => billingWords({ billing, cost: 0.0123, pages: 1 }));
  expect(words).toEqual([
    '$0.0123 at the provider',
    '$0.0123 by the provider’s bill',
    'The provider has not reported what it cost',
  ]);
});
