import type { EngineInput } from '../../model/engine.ts';

/** Room for a dense page; what runs on beyond it is a loop. */
export const PAGE_TOKENS = 8192;
/** What models of today write in one answer; a model that writes less says so, and is asked again. */
export const CALL_TOKENS = 32_768;

const ALLOWED = /(?:>|at most|maximum(?: value)?(?: is| of)?:?) (\d{3,7})\b/;

/** Tokens that one call may write: a page's share for each page, within what the model is known to allow. */
export function outputCap(input: EngineInput, allowed: number): number {
  const pages = input.kind === 'document' ? input.pages.length : 1;
  return Math.min(PAGE_TOKENS * pages, allowed);
}

/** How many tokens a model allows that rejected `asked` in these words; null when they are about something else. */
export function allowedTokens(words: string, asked: number): number | null {
  if (!/max(?:imum)?.?(?:completion|output)?.?tokens/i.test(words)) return null;
  const allowed = Number(ALLOWED.exec(words)?.[1]);
  return allowed < asked ? allowed : null;
}

/** A token limit of ours with the caller's own over it, which may be lower, not higher: the operator pays for tokens. */
export function tokenLimit(name: string, asked: unknown, ours: number): { tokens: number; warnings: string[] } {
  if (asked === undefined) return { tokens: ours, warnings: [] };
  if (typeof asked !== 'number' || !Number.isInteger(asked) || asked < 1) {
    return { tokens: ours, warnings: [`native_settings.${name} was ignored: it must be a whole number from 1 on.`] };
  }
  if (asked <= ours) return { tokens: asked, warnings: [] };
  return { tokens: ours, warnings: [`native_settings.${name} was lowered to ${ours}, the most that is asked for.`] };
}
