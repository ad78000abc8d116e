import type { EngineInput, Reading } from '../../model/engine.ts';
import { bytesOf } from './input.ts';

/** Most tokens that any model of today takes, and writes, in one call. */
const MODEL_INPUT = 2_097_152;
const MODEL_OUTPUT = 1_048_576;
/** Tokens of a picture: 50,000 at the dearest providers that count tiles, and one for 400 to 800 pixels at others. */
const PICTURE_TOKENS = 50_000;
const PIXELS_PER_TOKEN = 256;

/** A call, as far as its tokens depend on it. */
interface Sent {
  readonly input: EngineInput;
  /** Bytes of the whole body. */
  readonly bodyBytes: number;
  /** The output cap in the body, also one of the caller; any other value where there is none. */
  readonly outputCap: unknown;
}

/**
 * The most tokens that a call can have used: generous bounds, far above what any tokeniser makes of the document, and far below
 * what a provider's fault or lie would cost.
 */
export function mostTokens({ input, bodyBytes, outputCap }: Sent): NonNullable<Reading['mostTokens']> {
  const isCap = typeof outputCap === 'number' && outputCap > 0;
  return {
    input: Math.min(MODEL_INPUT, Math.ceil(wordTokens(input, bodyBytes) + documentTokens(input))),
    output: isCap ? Math.min(MODEL_OUTPUT, Math.floor(outputCap)) : MODEL_OUTPUT,
  };
}

/** Most tokens of the body without the document: no token is shorter than a byte. */
function wordTokens(input: EngineInput, bodyBytes: number): number {
  return Math.max(0, bodyBytes - Math.ceil(bytesOf(input).length / 3) * 4);
}

/**
 * Most tokens of the document. Providers read a PDF as pictures of all its pages, and as the text in it, which is compressed
 * about as words are.
 */
function documentTokens(input: EngineInput): number {
  if (input.kind === 'picture') return PICTURE_TOKENS + (input.picture.width * input.picture.height) / PIXELS_PER_TOKEN;
  return (input.pagesTotal ?? Math.max(...input.pages)) * PICTURE_TOKENS + input.bytes.length;
}
