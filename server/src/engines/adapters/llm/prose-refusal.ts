/**
 * Most characters of a refusal. A transcription is hardly ever this short and in these words; a longer text with them is a
 * document.
 */
const MAX_LENGTH = 400;
const APOLOGY = oneOf(
  "(?:i'm|i am) (?:very |really )?sorry",
  'sorry',
  'i apologi[sz]e',
  'my apologies',
  'unfortunately',
);
const INABILITY = oneOf(
  ...["i can't", 'i can ?not', "i couldn't", 'i could not', "i won't", 'i will not', 'i must decline to'],
  "(?:i'm|i am) (?:unable|not able) to",
);
const TASK = oneOf(
  ...['transcribe', 'reproduce', 'comply'],
  'extract (?:the |any )?(?:text|content|words)',
  'process (?:the|this|that|your) (?:image|picture|document|page|file|request)',
  '(?:assist|help)(?: you)? with (?:that|this|your request|the request|transcri)',
  'provide (?:a|the|any) (?:transcri|text|full|verbatim)',
  'read (?:the|this|any) (?:text|image|document|page)',
  '(?:complete|fulfill?) (?:the|this|that|your) (?:request|task)',
);
const REFUSAL = new RegExp(`^(?:${APOLOGY}[,.;:!]? (?:but )?)?(?:as an ai[^,.]*, )?${INABILITY} (?:\\w+ )?${TASK}`);

/** Whether a model refused in prose ("I’m sorry, I can’t transcribe…") instead of by the means of its API. */
export function isProseRefusal(answer: string): boolean {
  if (answer.length > 2 * MAX_LENGTH) return false;
  const text = answer.trim().toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
  return text.length <= MAX_LENGTH && REFUSAL.test(text);
}

function oneOf(...patterns: string[]): string {
  return `(?:${patterns.join('|')})`;
}
