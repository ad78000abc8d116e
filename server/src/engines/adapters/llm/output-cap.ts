import { isObject } from '../http/native-fields.ts';

/** Room for a dense page; what runs on beyond it is a loop. */
export const PAGE_TOKENS = 8192;
/** What models of today write in one answer, beside their reasoning; a model that writes less says so, and is asked again. */
export const CALL_TOKENS = 32_768;

const ALLOWED = /(?:>|at most|maximum(?: value)?(?: is| of)?:?) (\d{3,7})\b/;

/** Room to reason before the text: providers count and bill it as output, within the same limit. */
export const REASONING_TOKENS = 8192;

interface Room {
  /** Tokens that the model is known to allow in one answer; absent where nothing is known of it. */
  readonly allowed?: number | undefined;
  /** An operator's word for a page, all that a model writes for it included. */
  readonly pageTokens?: number | undefined;
  /** Whether the model reasons before it writes. */
  readonly reasons?: boolean | undefined;
}

/** Tokens that one call may write: a page's share for each page and room to reason, within what the model is known to allow. */
export function outputCap(
  pages: number,
  { allowed = Number.POSITIVE_INFINITY, pageTokens, reasons }: Room = {},
): number {
  const text = Math.min((pageTokens ?? PAGE_TOKENS) * pages, Math.max(CALL_TOKENS, pageTokens ?? 0));
  const room = reasons && pageTokens === undefined ? REASONING_TOKENS : 0;
  return Math.min(text + room, allowed);
}

/**
 * The most tokens that an answer can credibly have: at least what is asked for where an operator says nothing. What a provider bills
 * beyond an operator's word is counted as what it costs.
 */
export function mostCredible(asked: number, usual: number): number {
  return Math.max(asked, usual);
}

/** How many tokens a model allows that rejected `asked` in these words; null when they are about something else. */
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
 * The native_settings with their token limits as they are sent on: lowered to ours, since the operator pays for tokens,
 * and left out where they are none. `limits` has ours by name, with a dot for those within an object.
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
