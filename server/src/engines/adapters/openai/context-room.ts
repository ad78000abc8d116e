const CONTEXT = /context length is (?:only )?(\d{3,8}) tokens/i;
const INPUT = /(?:\b(\d{1,8}) input tokens|\((\d{1,8}) in the (?:messages|prompt)\b)/i;
/** Tokens that are left free, because prompts are counted in more than one way. */
const MARGIN = 128;
/** Fewest tokens for an answer to a page; with fewer the refusal is handed on as it is. */
const LEAST = 256;

/** Whether a refusal is about the whole context, prompt and answer together, and not about what a model may write. */
export function isAboutContext(words: string): boolean {
  return CONTEXT.test(words);
}

/**
 * The tokens that a server's context leaves for the answer to a page, by its refusal of `asked` tokens; null where these are too
 * few, or the refusal does not tell.
 */
export function roomAfter(words: string, asked: number): number | null {
  const context = Number(CONTEXT.exec(words)?.[1]);
  const found = INPUT.exec(words);
  const prompt = Number(found?.[1] ?? found?.[2]);
  // vLLM stops counting at the first token too many: then the prompt may be longer.
  const isCounted = prompt + asked > context + 1 && !/at least \d+ input tokens/i.test(words);
  const left = isCounted ? context - prompt - MARGIN : Math.min(Math.floor(asked / 2), context - prompt - MARGIN);
  return left >= LEAST && left < asked ? left : null;
}
