import type { EngineInput } from '../../model/engine.ts';

/** What a server's context leaves for the answer, as its refusal of a page has told. */
export interface ContextRoom {
  readonly context: number;
  /** Tokens left for an answer beside that page. */
  readonly left: number;
  readonly kind: EngineInput['kind'];
  /** How large that page was: pixels, or bytes of a PDF. */
  readonly size: number;
}

const CONTEXT = /context length is (?:only )?(\d{3,8}) tokens/i;
const INPUT = /(?:\b(\d{1,8}) input tokens|\((\d{1,8}) in the (?:messages|prompt)\b)/i;
/** Prompts differ in their language and in what they ask for. */
const MARGIN = 128;
/** Less is no answer for a page: its refusal is told as it is. */
const LEAST = 256;

/** Whether a refusal is about the whole context, prompt and answer together, and not about what a model may write. */
export function isAboutContext(words: string): boolean {
  return CONTEXT.test(words);
}

/** What is left for an answer by a refusal of `asked` tokens; null where it is too little, or not told. */
export function roomAfter(words: string, asked: number, input: EngineInput): ContextRoom | null {
  const context = Number(CONTEXT.exec(words)?.[1]);
  const found = INPUT.exec(words);
  const prompt = Number(found?.[1] ?? found?.[2]);
  // vLLM stops counting at the first token too many: then the prompt may be longer.
  const isCounted = prompt + asked > context + 1 && !/at least \d+ input tokens/i.test(words);
  const left = isCounted ? context - prompt - MARGIN : Math.min(Math.floor(asked / 2), context - prompt - MARGIN);
  return left >= LEAST && left < asked ? { context, left, kind: input.kind, size: sizeOf(input) } : null;
}

/**
 * The most that is asked for beside a page. Its prompt is taken to be in proportion to the one that is known, and never longer:
 * no page has less room than it could, and one whose prompt is longer is refused and told.
 */
export function roomBeside(input: EngineInput, room: ContextRoom | undefined): number {
  if (!room || room.kind !== input.kind) return Number.POSITIVE_INFINITY;
  const taken = (room.context - room.left) * Math.min(1, sizeOf(input) / room.size);
  return Math.floor(room.context - taken);
}

function sizeOf(input: EngineInput): number {
  return input.kind === 'picture' ? input.picture.width * input.picture.height : input.bytes.length;
}
