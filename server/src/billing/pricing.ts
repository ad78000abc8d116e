import type { NanoUsd } from '../database/money.ts';
import type { Engine, Reading, Usage } from '../engines/engine.ts';

const MILLION = 1_000_000n;

type Priced = Pick<Engine, 'pricePerPage' | 'tokenPrices' | 'providerCostPerPage'>;

/** What is reserved when a request is accepted: the page price for every page that is billed. */
export function reserve(engine: Priced, pages: number): NanoUsd {
  return engine.pricePerPage * BigInt(pages);
}

/** More tokens than any call takes. */
const MOST_TOKENS = 1_000_000_000;

/** Whether a reported usage can be true; what was not reported is not in doubt. */
export function isCredible(usage: Usage | null): boolean {
  return [usage?.inputTokens, usage?.outputTokens].every((count) => count == null || isCount(count));
}

/** Providers are outside: a count may be anything that JSON can hold, whatever its type says. */
function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) >= 0 && (count as number) <= MOST_TOKENS;
}

/** What the tokens of a call cost at the engine's published rates; null when the provider did not report them. */
function tokenCost(engine: Priced, usage: Usage | null): NanoUsd | null {
  if (!engine.tokenPrices || !isCount(usage?.inputTokens) || !isCount(usage.outputTokens)) return null;
  const input = BigInt(usage.inputTokens) * engine.tokenPrices.inputPerMillion;
  const output = BigInt(usage.outputTokens) * engine.tokenPrices.outputPerMillion;
  return (input + output + MILLION - 1n) / MILLION + (engine.tokenPrices.feePerCall ?? 0n);
}

/**
 * What a call that gave no usable text cost at the provider. Null when the provider has not said: billing stays
 * pending then, nothing is guessed.
 */
export function failureCost(engine: Priced & { local: boolean }, reading: Reading, pages: number): NanoUsd | null {
  if (engine.local || reading.billed === 'no') return 0n;
  if (engine.tokenPrices && !isCredible(reading.usage)) return null; // it did cost something, but not this
  return (
    tokenCost(engine, reading.usage) ??
    (engine.providerCostPerPage === null ? null : engine.providerCostPerPage * BigInt(pages))
  );
}

/** What pages that were read cost: the page price, or the tokens of a token-priced engine (null: not reported yet). */
export function successCost(engine: Priced, usages: readonly (Usage | null)[], pages: number): NanoUsd | null {
  if (!engine.tokenPrices) return engine.pricePerPage * BigInt(pages);
  let total = 0n;
  for (const usage of usages) {
    const cost = tokenCost(engine, usage);
    if (cost === null) return null;
    total += cost;
  }
  return total;
}
