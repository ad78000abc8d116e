import { expect, it } from 'vitest';
import { billingWords } from './billing-words.ts';

it('does not call unrecorded costs none: pages that are sold by the page cost their provider’s price', () => {
  expect(billingWords({ billing: 'none', cost: 0, pages: 2 })).toBe(
    'Sold by the page; what it cost at the provider is not recorded',
  );
  expect(billingWords({ billing: 'none', cost: 0, pages: 2, provider: 'mistral' })).toContain('is not recorded');
  expect(billingWords({ billing: 'none', cost: 0, pages: 0 })).toBe('Nothing to pay at the provider');
});

it('speaks of no provider where the gateway itself reads', () => {
  const read = { billing: 'none', cost: 0, pages: 2, provider: 'local' };
  expect([read, { ...read, pages: 0 }].map(billingWords)).toEqual(Array(2).fill('Runs on the gateway’s own machines'));
});

it('does not call unreported what was reported and not believed', () => {
  expect(billingWords({ billing: 'pending', cost: 0, usageDoubted: true })).toBe(
    'The provider reported a usage that is not credible; what it cost is not known',
  );
});

it('says where a known cost comes from', () => {
  const words = ['settled', 'verified', 'pending'].map((billing) => billingWords({ billing, cost: 0.0123, pages: 1 }));
  expect(words).toEqual([
    '$0.0123 at the provider',
    '$0.0123 by the provider’s bill',
    'The provider has not reported what it cost',
  ]);
});
