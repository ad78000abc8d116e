import type { Usage } from '../../model/engine.ts';

/** Most tokens of a call; a larger count is a fault of the provider. */
const MAX_TOKENS = 1e8;

/**
 * Names of the counts in a provider's usage object. The first name must be there, the others add to it where they are.
 * `zeroIsAbsent`: the provider leaves an output of 0 out.
 */
export interface UsageNames {
  readonly input: readonly [string, ...string[]];
  readonly output: readonly [string, ...string[]];
  readonly zeroIsAbsent?: boolean;
}

/** Reads a provider's usage object, whose counts have these names; null where it sent none. */
export function tokenUsage(raw: unknown, names: UsageNames): Usage | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
  const counts = new Map<string, unknown>(Object.entries(raw));
  const inputTokens = total(counts, names.input);
  const given = names.zeroIsAbsent && inputTokens !== null ? new Map([[names.output[0], 0], ...counts]) : counts;
  return { inputTokens, outputTokens: total(given, names.output), pages: null, raw };
}

/** The sum of the named counts; null unless each can be billed. */
function total(counts: ReadonlyMap<string, unknown>, [first, ...more]: UsageNames['input']): number | null {
  const present = more.map((name) => counts.get(name)).filter((value) => value !== undefined && value !== null);
  const parts = [counts.get(first), ...present].map(tokenCount);
  return parts.includes(null) ? null : tokenCount(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0));
}

/** A count that can be billed; null where none was reported; NaN for one that no call can have used: billing stays pending. */
export function tokenCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS
    ? value
    : Number.NaN;
}
