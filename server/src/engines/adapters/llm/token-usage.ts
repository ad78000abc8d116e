import type { Usage } from '../../model/engine.ts';

/** Beyond this many tokens a count is a fault of the provider. */
const MAX_TOKENS = 1e8;

/**
 * Where a provider's usage object has its counts. The first name must be there, the others add to it where they are.
 * `zeroIsAbsent`: the provider leaves an output of 0 out.
 */
export interface UsageNames {
  readonly input: readonly [string, ...string[]];
  readonly output: readonly [string, ...string[]];
  readonly zeroIsAbsent?: boolean;
}

/** A provider's usage object, with the counts under the names it uses; null when it sent none. */
export function tokenUsage(raw: unknown, names: UsageNames): Usage | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
  const counts = new Map<string, unknown>(Object.entries(raw));
  const inputTokens = total(counts, names.input);
  const given = names.zeroIsAbsent && inputTokens !== null ? new Map([[names.output[0], 0], ...counts]) : counts;
  return { inputTokens, outputTokens: total(given, names.output), pages: null, raw };
}

/** The sum, if every part of it is a count that can be billed; null otherwise. */
function total(counts: ReadonlyMap<string, unknown>, [first, ...more]: UsageNames['input']): number | null {
  const present = more.map((name) => counts.get(name)).filter((value) => value !== undefined && value !== null);
  const parts = [counts.get(first), ...present].map(tokenCount);
  return parts.includes(null) ? null : tokenCount(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0));
}

/** A count that can be billed; null where none was reported, NaN for what no call can have used: billing stays pending. */
export function tokenCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS
    ? value
    : Number.NaN;
}
