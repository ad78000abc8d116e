import type { NanoUsd } from '../database/money.ts';
import type { Engine, Reading } from '../engines/engine.ts';

const MILLION = 1_000_000n;

type Priced = Pick<Engine, 'pricePerPage' | 'tokenPrices' | 'providerCostPerPage'>;

/** What is reserved when a request is accepted: the page price for every page that is billed. */
export function reserve(engine: Priced, pages: number): NanoUsd {
  return engine.pricePerPage * BigInt(pages);
}

/** More tokens than any call takes. */
const MOST_TOKENS = 1_000_000_000;

/** Reasoning that stands beside an answer is bounded by no cap of ours, and at no model of today larger than this. */
const MOST_REASONING = 131_072;

/**
 * Whether a reported usage can be true: counts that a call can have, and no more than this call can have used. What was
 * not reported is not in doubt.
 */
export function isCredible({ usage, mostTokens: most }: Billed): boolean {
  if (!usage) return true;
  const { inputTokens, outputTokens, reasoningApart = 0 } = usage;
  if (![inputTokens, outputTokens].every((count) => count == null || isCount(count))) return false;
  if (!most) return true;
  const answer = (outputTokens ?? 0) - reasoningApart;
  return (inputTokens ?? 0) <= most.input && answer <= most.output && reasoningApart <= MOST_REASONING;
}

/** What a call says of its cost, and what it can have cost at most. */
type Billed = Pick<Reading, 'usage' | 'mostTokens'>;

/** Providers are outside: a count may be anything that JSON can hold, whatever its type says. */
function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) >= 0 && (count as number) <= MOST_TOKENS;
}

/** What the tokens of a call cost at the engine's published rates; null when the provider did not report them. */
function tokenCost(engine: Priced, billed: Billed): NanoUsd | null {
  const { usage } = billed;
  if (!engine.tokenPrices || !usage || !isCredible(billed)) return null;
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return null;
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
  if (engine.tokenPrices && !isCredible(reading)) return null; // it did cost something, but not this
  return (
    tokenCost(engine, reading) ??
    (engine.providerCostPerPage === null ? null : engine.providerCostPerPage * BigInt(pages))
  );
}

/** What pages that were read cost: the page price, or the tokens of a token-priced engine (null: not reported yet). */
export function successCost(engine: Priced, calls: readonly Billed[], pages: number): NanoUsd | null {
  if (!engine.tokenPrices) return engine.pricePerPage * BigInt(pages);
  let total = 0n;
  for (const call of calls) {
    const cost = tokenCost(engine, call);
    if (cost === null) return null;
    total += cost;
  }
  return total;
}
