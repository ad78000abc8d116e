import type { Engine, Reading } from '../engines/model/engine.ts';
import type { NanoUsd } from '../platform/money.ts';

/**
 * Every rule of money, in nano-USD: what is reserved, what pages that were read cost, what a failure costs, what a
 * request that was retried costs at most, and what of a cost that is reported late is still due. Nothing else computes
 * an amount; where a statement has to, the rule stands here as SQL beside the function.
 */

const MILLION = 1_000_000n;

type Priced = Pick<Engine, 'pricePerPage' | 'tokenPrices' | 'providerCostPerPage'>;

/** What an account must have for a request to be accepted. */
export interface FundsNeeded {
  /** The amount to hold: the page price for every page that is billed. */
  readonly hold: NanoUsd;
  /** Whether a token-priced engine may read it: it is refused while the account owes anything. */
  readonly tokenPriced: boolean;
}

/** What reading pages needs. `second`: the engine for scanned pages, or null. The hold is by the dearer of the two engines. */
export function fundsNeeded(engine: Priced, second: Priced | null, pages: number): FundsNeeded {
  const readers = second ? [engine, second] : [engine];
  const hold = readers.map(({ pricePerPage }) => pricePerPage * BigInt(pages)).reduce(larger);
  return { hold, tokenPriced: readers.some(({ tokenPrices }) => tokenPrices !== null) };
}

type PricedReader = Priced & { readonly local: boolean; readonly mostPageTokens?: Engine['mostPageTokens'] };

/**
 * The most that a request can be charged, whichever of the engines fails at a page and whichever reads it; null where no
 * such amount is known of one of them.
 */
export function worstCase(readers: readonly PricedReader[], pages: number): NanoUsd | null {
  let failed = 0n;
  let more = 0n;
  for (const reader of readers) {
    const read = worstPage(reader);
    const failure = reader.local ? 0n : reader.tokenPrices ? read : reader.providerCostPerPage;
    if (read === null || failure === null) return null;
    failed += failure;
    more = larger(more, read - failure);
  }
  return (failed + more) * BigInt(pages);
}

/** The most that one page can cost at an engine that reads it; null where its tokens have no bound. */
export function worstPage({ pricePerPage, tokenPrices, mostPageTokens }: Omit<PricedReader, 'local'>): NanoUsd | null {
  if (!tokenPrices) return pricePerPage;
  if (!mostPageTokens) return null;
  const { input, output } = mostPageTokens;
  return tokensAt(tokenPrices, BigInt(input), BigInt(output));
}

/** Calls that took more tokens for their pages than the operator says that a page takes at most. */
export interface TokenOverrun {
  readonly calls: number;
  /** The most that a page of them took, and what the operator says. */
  readonly page: { readonly input: number; readonly output: number };
  readonly most: { readonly input: number; readonly output: number };
}

/**
 * Whether a call took more tokens than `worstPage` counts with, and how many; null where it did not. It is charged by its usage
 * all the same: only the operator can make the worst cost that callers are told true.
 */
export function tokenOverrun(
  { tokenPrices, mostPageTokens: most }: Pick<Engine, 'tokenPrices' | 'mostPageTokens'>,
  billed: Billed,
  pages: number,
): TokenOverrun | null {
  if (!tokenPrices || !most || !billed.usage || !isCredible(billed)) return null;
  const [input, output] = [billed.usage.inputTokens ?? 0, billed.usage.outputTokens ?? 0];
  if (input <= most.input * pages && output <= most.output * pages) return null;
  return { calls: 1, page: { input: Math.ceil(input / pages), output: Math.ceil(output / pages) }, most };
}

/** Both together. */
export function bothOverruns(a: TokenOverrun, b: TokenOverrun): TokenOverrun {
  const page = { input: Math.max(a.page.input, b.page.input), output: Math.max(a.page.output, b.page.output) };
  return { calls: a.calls + b.calls, page, most: b.most };
}

/** What is charged where the caller has set a limit; the rest of the cost is the operator's. */
export function cappedCharge(charge: NanoUsd, cap: NanoUsd | null): NanoUsd {
  return cap === null ? charge : smaller(charge, cap);
}

/** More tokens than any call takes. */
const MOST_TOKENS = 1_000_000_000;

/** Reasoning tokens that a provider counts beside the answer: no cap of ours bounds them, and no model of today writes more. */
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

/** The message of an attempt whose usage is not credible. */
export const ODD_USAGE = 'The usage that the provider reported is not credible and was not charged.';
/** The description of `usageDoubted` in the schema. */
export const USAGE_DOUBTED = 'Whether its provider reported a usage that is not credible: it was not charged.';

/** The usage of a call, and the most tokens that it can have used. */
type Billed = Pick<Reading, 'usage' | 'mostTokens'>;

/** A provider's count may be anything that JSON can hold, whatever its type says. */
function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) >= 0 && (count as number) <= MOST_TOKENS;
}

/** What the tokens of a call cost at the engine's published rates; null when the provider did not report them. */
function tokenCost(engine: Priced, billed: Billed): NanoUsd | null {
  const { usage } = billed;
  if (!engine.tokenPrices || !usage || !isCredible(billed)) return null;
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return null;
  return tokensAt(engine.tokenPrices, BigInt(usage.inputTokens), BigInt(usage.outputTokens));
}

function tokensAt(prices: NonNullable<Priced['tokenPrices']>, input: bigint, output: bigint): NanoUsd {
  const cost = input * prices.inputPerMillion + output * prices.outputPerMillion;
  return (cost + MILLION - 1n) / MILLION + (prices.feePerCall ?? 0n);
}

/**
 * What a call that gave no usable text cost at the provider. Null when the provider has not said: billing stays
 * pending then, nothing is guessed.
 */
export function failureCost(engine: Priced & { local: boolean }, reading: Reading, pages: number): NanoUsd | null {
  if (engine.local || reading.billed === 'no') return 0n;
  if (engine.tokenPrices && !isCredible(reading)) return null; // it has cost something, but not what was reported
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

/** What a retried request costs at most: what it would have cost, had its engine read it all. */
export function retryLimit(engine: Priced, first: { fullPrice: NanoUsd; spent: NanoUsd }): NanoUsd {
  // At token prices the full price is an estimate, and no cap of what was spent.
  return engine.tokenPrices ? larger(first.spent, first.fullPrice) : first.fullPrice;
}

/** What both runs of a retried request cost together. */
export function retriedCharge(first: NanoUsd, second: NanoUsd, limit: NanoUsd): NanoUsd {
  return smaller(first + second, limit);
}

/** SQL expressions for `lateCostDueSql`. */
interface LateCost {
  /** What the provider has reported now. */
  readonly cost: string;
  /** What the request was charged, and what was reserved for it. */
  readonly charged: string;
  readonly hold: string;
  /** Whether more than one engine was called: the request then never costs more than its hold. */
  readonly retried: string;
  /** The caller's `max_cost_usd`; null without one. */
  readonly cap: string;
}

/** The part of a cost that is reported late which the caller pays, as an SQL expression. */
export function lateCostDueSql({ cost, charged, hold, retried, cap }: LateCost): string {
  const left = `case when ${cap} is null then null else greatest(0, ${cap} - ${charged}) end`; // greatest() skips a null
  const due = `case when ${retried} then least(${cost}, greatest(0, ${hold} - ${charged})) else ${cost} end`;
  return `least(${due}, ${left})`;
}

function larger(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a > b ? a : b; // Math.max takes no bigint
}

function smaller(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a < b ? a : b;
}
