import { isObject } from '../../../platform/is-object.ts';

/** Tokens for a dense page; a longer text is a loop. */
export const PAGE_TOKENS = 8192;
/**
 * Tokens that models of today write in one answer, beside their reasoning; a model that writes fewer says so, and is called
 * again.
 */
export const CALL_TOKENS = 32_768;

const ALLOWED = /(?:>|at most|maximum(?: value)?(?: is| of)?:?) (\d{3,7})\b/;

/** Tokens for reasoning before the text: providers count and bill it as output, within the same limit. */
export const REASONING_TOKENS = 8192;

interface Room {
  /** Tokens that the model is known to allow in one answer; absent where nothing is known of it. */
  readonly allowed?: number | undefined;
  /** Tokens of a page by the operator's configuration, with all that a model writes for it. */
  readonly pageTokens?: number | undefined;
  /** Whether the model reasons before it writes. */
  readonly reasons?: boolean | undefined;
}

/** Tokens that one call may write: a share for each page and room to reason, within what the model is known to allow. */
export function outputCap(
  pages: number,
  { allowed = Number.POSITIVE_INFINITY, pageTokens, reasons }: Room = {},
): number {
  const text = Math.min((pageTokens ?? PAGE_TOKENS) * pages, Math.max(CALL_TOKENS, pageTokens ?? 0));
  const room = reasons && pageTokens === undefined ? REASONING_TOKENS : 0;
  return Math.min(text + room, allowed);
}

/**
 * The most tokens that an answer can credibly have: at least as many as are asked for where the operator has not configured a
 * number. What a provider bills beyond the operator's number is counted at its cost.
 */
export function mostCredible(asked: number, usual: number): number {
  return Math.max(asked, usual);
}

/**
 * The number of tokens that a model allows which rejected `asked` in these words; null where the words are about something else.
 */
export function allowedTokens(words: string, asked: number): number | null {
  if (!/max(?:imum)?.?(?:completion|output)?.?tokens/i.test(words)) return null;
  const allowed = Number(ALLOWED.exec(words)?.[1]);
  return allowed < asked ? allowed : null;
}

type Native = Readonly<Record<string, unknown>>;

export interface Bounded {
  readonly native: Native;
  readonly warnings: readonly string[];
}

/**
 * The native_settings with their token limits lowered to the gateway's, because the operator pays for tokens, and without limits
 * that are no numbers. `limits` has the gateway's by name, with a dot for those within an object.
 */
export function withinLimits(native: Native, limits: Readonly<Record<string, number>>): Bounded {
  let bounded: Bounded = { native, warnings: [] };
  for (const [name, most] of Object.entries(limits)) {
    const { native: lowered, warnings } = lower(bounded.native, name.split('.'), { name, most });
    bounded = { native: lowered, warnings: [...bounded.warnings, ...warnings] };
  }
  return bounded;
}

function lower(object: Native, path: readonly string[], limit: { name: string; most: number }): Bounded {
  const [first = '', ...inside] = path;
  if (!(first in object)) return { native: object, warnings: [] };
  const { [first]: asked, ...others } = object;
  if (inside.length === 0) {
    const { tokens, warnings } = tokenLimit(limit.name, asked, limit.most);
    return { native: tokens === null ? others : { ...object, [first]: tokens }, warnings };
  }
  if (!isObject(asked))
    return { native: others, warnings: [`native_settings.${first} was ignored: it must be an object.`] };
  const { native: inner, warnings } = lower(asked, inside, limit);
  return { native: Object.keys(inner).length === 0 ? others : { ...object, [first]: inner }, warnings };
}

function tokenLimit(name: string, asked: unknown, most: number): { tokens: number | null; warnings: string[] } {
  if (typeof asked !== 'number' || !Number.isInteger(asked) || asked < 1) {
    return { tokens: null, warnings: [`native_settings.${name} was ignored: it must be a whole number from 1 on.`] };
  }
  if (asked <= most) return { tokens: asked, warnings: [] };
  return { tokens: most, warnings: [`native_settings.${name} was lowered to ${most}, the most that is asked for.`] };
}
