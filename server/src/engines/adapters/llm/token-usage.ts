import type { Usage } from '../../engine.ts';

/** Beyond this many tokens a count is a fault of the provider. */
const MAX_TOKENS = 1e8;

/** A provider's usage object, with the counts under the names it uses; null when it sent none. */
export function tokenUsage(raw: unknown, names: { readonly input: string; readonly output: string }): Usage | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
  const counts = new Map<string, unknown>(Object.entries(raw));
  return {
    inputTokens: tokenCount(counts.get(names.input)),
    outputTokens: tokenCount(counts.get(names.output)),
    pages: null,
    raw,
  };
}

/** A count that can be billed; null where none was reported, NaN for what no call can have used: billing stays pending. */
function tokenCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS
    ? value
    : Number.NaN;
}
