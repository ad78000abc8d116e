import type { Engine } from '../../engines/model/engine.ts';

/**
 * Prices by engine id, as they were when a request was accepted: these are charged, whatever the configuration says later.
 * Nano-USD as text, because JSON has no 64-bit integers.
 */
export type AcceptedPrices = Readonly<Record<string, AcceptedPrice>>;

interface AcceptedPrice {
  readonly page: string;
  readonly tokens: { readonly input: string; readonly output: string; readonly fee: string } | null;
  /** What the provider takes for a page; null where that is unknown. */
  readonly cost: string | null;
}

/** The prices of every engine that may read a request. */
export function acceptedPrices(engines: readonly Engine[]): AcceptedPrices {
  return Object.fromEntries(engines.map((engine) => [engine.id, priceOf(engine)]));
}

/** Gives engines the prices of acceptance. An engine that has none there keeps today's. */
export function atAcceptedPrices(prices: AcceptedPrices | null): (engine: Engine) => Engine {
  return (engine) => {
    const price = prices?.[engine.id];
    if (!price) return engine;
    const { page, tokens, cost } = price;
    return {
      ...engine,
      pricePerPage: BigInt(page),
      tokenPrices: tokens && {
        inputPerMillion: BigInt(tokens.input),
        outputPerMillion: BigInt(tokens.output),
        feePerCall: BigInt(tokens.fee),
      },
      providerCostPerPage: cost === null ? null : BigInt(cost),
    };
  };
}

function priceOf({ pricePerPage, tokenPrices, providerCostPerPage }: Engine): AcceptedPrice {
  return {
    page: String(pricePerPage),
    tokens: tokenPrices && {
      input: String(tokenPrices.inputPerMillion),
      output: String(tokenPrices.outputPerMillion),
      fee: String(tokenPrices.feePerCall ?? 0n),
    },
    cost: providerCostPerPage === null ? null : String(providerCostPerPage),
  };
}
