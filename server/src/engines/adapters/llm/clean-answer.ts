import { NO_TEXT } from './prompt.ts';

const FENCE_LINE = /^ {0,3}```[^`]*$/;
const MARKDOWN_FENCE = /^```[ \t]*(?:markdown|md|text|txt|plaintext)[ \t]*$/i;
const BARE_FENCE = /^```[ \t]*$/;
const SAYS_NO_TEXT =
  /^(?:\[?(?:no|without) (?:visible |readable |legible )?text\]?|there is no (?:visible |readable |legible )?text (?:visible |present )?(?:in|on) (?:the|this) (?:image|picture|page|document))\.?$/i;

/**
 * A model's answer without what is not part of the document: its thinking, one code fence around the whole, and words that say
 * that there is no text. Any other answer comes back as it was.
 */
export function cleanAnswer(answer: string): string {
  const text = withoutOuterFence(withoutThinking(answer));
  const bare = text.trim();
  return bare.length <= 100 && (bare.toLowerCase() === NO_TEXT || SAYS_NO_TEXT.test(bare)) ? '' : text;
}

/** Removes a model's thinking. Some servers cut the opening tag off, and a model that runs out of tokens never closes it. */
function withoutThinking(text: string): string {
  const close = text.indexOf('</think>');
  const open = text.indexOf('<think>');
  if (open >= 0 && text.slice(0, open).trim() !== '') return text;
  if (close >= 0) return text.slice(close + '</think>'.length).trim();
  return open >= 0 ? '' : text;
}

/**
 * Removes a code fence around the whole. Fence marks inside come in pairs: an odd one at the end closes the outer fence, an even
 * count means that the answer broke off inside it. A bare fence must be the only one.
 */
function withoutOuterFence(text: string): string {
  if (!text.trimStart().startsWith('```')) return text;
  const lines = text.trim().split('\n');
  const [first = '', ...inner] = lines.map((line) => line.trimEnd());
  const marks = inner.filter((line) => FENCE_LINE.test(line)).length;
  const closed = BARE_FENCE.test(inner.at(-1) ?? '') && marks % 2 === 1;
  if (closed && (MARKDOWN_FENCE.test(first) || (BARE_FENCE.test(first) && marks === 1)))
    return lines.slice(1, -1).join('\n');
  return MARKDOWN_FENCE.test(first) && marks % 2 === 0 ? lines.slice(1).join('\n') : text;
}
