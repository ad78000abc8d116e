import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../engines/built-in.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import { costEstimate, type Intention } from './cost-estimate.ts';

const tokens = {
  ...{
    id: 'tokens',
    name: 'Tokens',
    provider: 'x',
    adapter: 'openai',
    api_key: 'k',
    model: 'm',
    price_per_page_usd: 0.02,
  },
  token_prices: { input_per_million_usd: 1, output_per_million_usd: 2 },
};
const catalogue = makeCatalogue([...BUILT_IN, tokens], { secrets: {}, cores: 1, engineLimitMs: 1000 });
const context = { catalogue, obstacle: () => null };
const RICH = { posted: 1_000_000_000n, held: 0n, owed: 0n };

function estimate(intention: Partial<Intention>, balance = RICH) {
  const nothing = { engine: 'tesseract', fallbackEngine: null, pageCount: null, pageRange: null };
  return costEstimate({ ...nothing, ...intention }, balance, context);
}

describe('the cost before sending', () => {
  it('is the price of one page when nothing is said', () => {
    expect(estimate({})).toMatchObject({ pages: 1, reserved: 1_000_000n, covered: true, tokenPriced: false });
  });

  it('follows the range, and the count where it is less', () => {
    expect(estimate({ pageRange: '1-3,7' }).pages).toBe(4);
    expect(estimate({ pageRange: '1-3,7', pageCount: 2 }).pages).toBe(2);
  });

  it('is that of the dearer engine', () => {
    expect(estimate({ engine: 'pdf-text', fallbackEngine: 'tesseract', pageCount: 2 }).reserved).toBe(2_000_000n);
    expect(estimate({ fallbackEngine: 'pdf-text', pageCount: 2 }).reserved).toBe(2_000_000n);
  });

  it('says whether the balance covers it: what is held does not count, nor what is owed for tokens', () => {
    expect(estimate({}, { ...RICH, held: 999_500_000n })).toMatchObject({ available: 500_000n, covered: false });
    expect(estimate({}, { ...RICH, owed: 1n }).covered).toBe(true);
    expect(estimate({ engine: 'tokens' }, { ...RICH, owed: 1n })).toMatchObject({ covered: false, tokenPriced: true });
  });

  it('refuses what sending would refuse', () => {
    expect(() => estimate({ engine: 'tesserakt' })).toThrow(/Did you mean tesseract/);
    expect(() => estimate({ pageCount: 201 })).toThrow(/1 to 200 pages/);
    expect(() => estimate({ pageRange: '3-1' })).toThrow(/backwards/);
  });
});
