import type { EngineEntry } from '../../server/src/engines/engines-file.ts';

/** How an engine is priced, and what of that decides what an ending costs. */
export const PRICES = {
  /** 0.01 USD a page, of which the provider takes 0.004 for every call, read or not. */
  'page price, known provider cost': { price_per_page_usd: 0.01, provider_cost_per_page_usd: 0.004 },
  'page price, unknown provider cost': { price_per_page_usd: 0.01 },
  /** Reserved at 0.01 a page; the wires report 1000 tokens in and 20 out: 0.0033. */
  'token price': { price_per_page_usd: 0.01, token_prices: { input_per_million_usd: 3, output_per_million_usd: 15 } },
} as const satisfies Record<string, Partial<EngineEntry>>;

export type Price = keyof typeof PRICES;
